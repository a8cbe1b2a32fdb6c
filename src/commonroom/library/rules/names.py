"""Names of libraries, collections and borrowers."""

from __future__ import annotations

from commonroom.library.rules.texts import one_line, some_lines

LONGEST_LIBRARY_NAME = 20
LONGEST_LIBRARY_DESCRIPTION = 100
LONGEST_COLLECTION_NAME = 100
LONGEST_COLLECTION_DESCRIPTION = 500
LONGEST_BORROWER = 50
MOST_SHARES = 50
"""With how many people a library is shared: all of them are changed in one transaction."""


def library_name(text: str) -> str:
    """A library's name as it is kept."""
    return one_line(text, LONGEST_LIBRARY_NAME, "library_name", "a name")


def library_description(text: str | None) -> str | None:
    """What somebody says about a library."""
    return some_lines(text, LONGEST_LIBRARY_DESCRIPTION, "description", "the description")


def collection_name(text: str) -> str:
    """A collection's name as it is kept."""
    return one_line(text, LONGEST_COLLECTION_NAME, "name", "a name")


def collection_description(text: str | None) -> str | None:
    """What somebody says about a collection."""
    return some_lines(text, LONGEST_COLLECTION_DESCRIPTION, "description", "the description")


def borrower(text: str) -> str:
    """The name of whoever borrows something."""
    return one_line(text, LONGEST_BORROWER, "lent_to", "a name")
