"""The bring list: what may stand on it, and who may take how much."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules.fields import Cleaners, characters
from commonroom.texts import fit_line, fit_optional_line

MAX_NAME = 100
MAX_NOTE = 200
MAX_ITEMS = 50
"""Of one hangout."""
MAX_NEEDED = 200

Name: TypeAlias = Annotated[str, characters(MAX_NAME, least=1)]
Note: TypeAlias = Annotated[str, characters(MAX_NOTE)]
Number: TypeAlias = Annotated[int, Meta(description=f"1 to {MAX_NEEDED}.")]


class TooMany(Conflict):
    """More of something than is still needed."""

    title = "Somebody was quicker"


def number(field: str, typed: int) -> int:
    """Returns how many are needed, or how many a person brings."""
    if not 1 <= typed <= MAX_NEEDED:
        raise InvalidField(field, f"Enter a number from 1 to {MAX_NEEDED}.")
    return typed


CLEANERS: Cleaners = {
    "name": lambda text: fit_line("name", text, MAX_NAME, "What should somebody bring?"),
    "note": lambda text: fit_optional_line("note", text, MAX_NOTE),
    "needed": lambda typed: number("needed", typed),
}


def too_many(left: int) -> TooMany:
    """Returns the refusal of a claim, which says how many are left."""
    if left == 0:
        return TooMany("Others already bring all of it.", left=0)
    return TooMany(f"Only {left} more needed.", left=left)
