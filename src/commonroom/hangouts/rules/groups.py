"""Groups: their names, and how large they may be."""

from __future__ import annotations

from commonroom.errors import InvalidField
from commonroom.texts import fit_line

LONGEST_NAME = 100
MOST_MEMBERS = 500
MOST_GROUPS = 50
"""Of one person: all of them are read at once for their list."""
CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without what looks like something else: i, l, o, 0 and 1."""
CODE_LENGTH = 8
COLOURS = ("blue", "green", "orange", "pink", "purple", "red", "teal", "yellow")


def group_name(text: str) -> str:
    """A group's name as it is kept."""
    return fit_line("group_name", text, LONGEST_NAME)


def colour(name: str | None) -> str | None:
    """One of the colours that groups can have."""
    if name is not None and name not in COLOURS:
        raise InvalidField("colour", "Choose one of the colours.")
    return name


def read_code(typed: str) -> str | None:
    """The code that somebody means, in any case and with dashes or spaces; None if it is none."""
    plain = typed.strip().casefold().replace("-", "").replace(" ", "")
    is_code = len(plain) == CODE_LENGTH and all(sign in CODE_SIGNS for sign in plain)
    return plain if is_code else None
