"""The bring list: what may stand on it, and who may take how much."""

from __future__ import annotations

from commonroom.errors import Conflict, InvalidField
from commonroom.texts import fit_line, fit_optional_line

MAX_NAME = 100
MAX_NOTE = 200
MAX_ITEMS = 50
"""Of one hangout."""
MAX_NEEDED = 200


class TooMany(Conflict):
    """More of something than is still needed."""

    title = "Somebody was quicker"


def item_name(text: str) -> str:
    """Returns what is to be brought."""
    return fit_line("name", text, MAX_NAME, "What should somebody bring?")


def item_note(text: str | None) -> str | None:
    """More about it."""
    return fit_optional_line("note", text, MAX_NOTE)


def needed(number: int) -> int:
    """Returns how many are needed."""
    if not 1 <= number <= MAX_NEEDED:
        raise InvalidField("needed", f"Enter a number from 1 to {MAX_NEEDED}.")
    return number


def claim_number(number: int) -> int:
    """Returns how many the person brings."""
    if not 1 <= number <= MAX_NEEDED:
        raise InvalidField("number", f"Enter a number from 1 to {MAX_NEEDED}.")
    return number


def too_many(left: int) -> TooMany:
    """Returns the refusal of a claim, which says how many are left."""
    if left == 0:
        return TooMany("Others already bring all of it.", left=0)
    return TooMany(f"Only {left} more needed.", left=left)
