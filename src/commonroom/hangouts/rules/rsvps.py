"""Answers: what one may say, and how many people it stands for."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.accounts.rules import LONGEST_NAME
from commonroom.errors import InvalidField
from commonroom.hangouts.tables import GuestRsvp, Rsvp, RsvpStatus
from commonroom.texts import fit_line, fit_lines

LONGEST_NOTE = 500
MOST_PLUS_GUESTS = 10
COMING: frozenset[RsvpStatus] = frozenset({"GOING", "INTERESTED"})
"""The answers of those who come, or may."""
MOST_GUEST_ANSWERS = 200
"""Answers without an account on one hangout."""


class Party(Struct, frozen=True):
    """What an answer comes to: where it is counted, and as how many."""

    status: RsvpStatus
    people: int


def answer_fields(status: RsvpStatus, note: str | None, plus_guests: int) -> dict[str, Any]:
    """The fields of an answer to store; whoever does not come brings nobody."""
    if not 0 <= plus_guests <= MOST_PLUS_GUESTS:
        raise InvalidField("plus_guests", f"You can bring 0 to {MOST_PLUS_GUESTS} guests.")
    return {
        "status": status,
        "note": fit_lines("note", note, LONGEST_NOTE),
        "plus_guests": 0 if status == "NOT_GOING" else plus_guests,
    }


def guest_name(text: str) -> str:
    """The name of somebody without an account."""
    return fit_line("name", text, LONGEST_NAME)


def party_of(answer: Rsvp | GuestRsvp | None) -> Party | None:
    """What an answer is counted as; None where there is none, or another's party counts it."""
    if answer is None:
        return None
    if isinstance(answer, GuestRsvp):
        return Party(answer.status, 1 + answer.plus_guests)
    if answer.with_user_id is not None:
        return None
    return Party(answer.status, 1 + len(answer.companion_ids) + answer.plus_guests)
