"""Names of libraries, collections and borrowers, and ids."""

from __future__ import annotations

from uuid import uuid4

from commonroom.texts import fit_line, fit_lines

MAX_LIBRARY_NAME = 20
MAX_LIBRARY_DESCRIPTION = 100
MAX_COLLECTION_NAME = 100
MAX_COLLECTION_DESCRIPTION = 500
MAX_BORROWER = 50
MAX_SHARES = 50
"""With how many people a library is shared: all of them are changed in one transaction."""


MAX_ID = 100


def library_name(text: str) -> str:
    """Returns a library's name as it is kept."""
    return fit_line("library_name", text, MAX_LIBRARY_NAME)


def library_description(text: str | None) -> str | None:
    """Returns a library's description."""
    return fit_lines("description", text, MAX_LIBRARY_DESCRIPTION)


def collection_name(text: str) -> str:
    """Returns a collection's name as it is kept."""
    return fit_line("name", text, MAX_COLLECTION_NAME)


def collection_description(text: str | None) -> str | None:
    """Returns a collection's description."""
    return fit_lines("description", text, MAX_COLLECTION_DESCRIPTION)


def borrower(text: str) -> str:
    """Returns a borrower's name."""
    return fit_line("lent_to", text, MAX_BORROWER, "Enter who borrows it.")


def new_id() -> str:
    """Returns a new one, written as owners' ids are: without dashes, uppercase."""
    return uuid4().hex.upper()


def is_id(text: str) -> bool:
    """Returns whether something can be an id: it may come from an address, and goes into a key."""
    return 0 < len(text) <= MAX_ID and text.isprintable() and "#" not in text
