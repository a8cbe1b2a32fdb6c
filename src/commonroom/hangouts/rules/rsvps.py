"""Answers: what one may say, and how many people it stands for."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.hangouts.rules.fields import characters
from commonroom.hangouts.tables import GuestRsvp, HangoutSummary, Rsvp, RsvpStatus
from commonroom.texts import fit_lines

MAX_NOTE = 500
MAX_PLUS_GUESTS = 10
COMING: frozenset[RsvpStatus] = frozenset({"GOING", "INTERESTED"})
"""The answers of those who come, or may."""
MAX_GUEST_ANSWERS = 200
"""Answers without an account on one hangout."""


Note: TypeAlias = Annotated[str, characters(MAX_NOTE, most=5000)]
PlusGuests: TypeAlias = Annotated[
    int, Meta(description=f"How many others come along, 0 to {MAX_PLUS_GUESTS}.")
]


class Party(Struct, frozen=True):
    """What an answer comes to: where it is counted, and as how many."""

    status: RsvpStatus
    people: int


def rsvp_fields(status: RsvpStatus, note: str | None, plus_guests: int) -> dict[str, Any]:
    """Returns the fields of an RSVP to store; a person who does not come brings nobody."""
    if not 0 <= plus_guests <= MAX_PLUS_GUESTS:
        raise InvalidField("plus_guests", f"You can bring 0 to {MAX_PLUS_GUESTS} guests.")
    return {
        "status": status,
        "note": fit_lines("note", note, MAX_NOTE),
        "plus_guests": 0 if status == "NOT_GOING" else plus_guests,
    }


def party_of(answer: Rsvp | GuestRsvp | None) -> Party | None:
    """What an answer is counted as; None where there is none, or another's party counts it."""
    if answer is None:
        return None
    if isinstance(answer, GuestRsvp):
        return Party(answer.status, 1 + answer.plus_guests)
    if answer.with_user_id is not None:
        return None
    return Party(answer.status, 1 + len(answer.companion_ids) + answer.plus_guests)


def may_bring(person: User, child: User) -> bool:
    """Whether a person may answer for a managed member: their own, or one of their household."""
    if not child.is_managed or person.is_managed:
        return False
    is_at_home = person.household_id is not None and child.household_id == person.household_id
    return is_at_home or child.parent_user_id == person.user_id


def waits(hangout: HangoutSummary, answer: Rsvp | GuestRsvp | None) -> bool:
    """Returns whether the party of an RSVP waits for a place."""
    if answer is None or not hangout.waiting:
        return False
    if isinstance(answer, GuestRsvp):
        party = answer.guest_id
    else:
        party = answer.with_user_id or answer.user_id
    return any(one.answer_id == party for one in hangout.waiting)


def goes(hangout: HangoutSummary, answer: Rsvp | GuestRsvp | None) -> bool:
    """Returns whether an RSVP is of a person who goes and does not wait for a place."""
    return answer is not None and answer.status == "GOING" and not waits(hangout, answer)


class Signals(Struct, frozen=True):
    """What RSVPs say of a hangout's momentum, as they are counted on it."""

    going_rsvps: int = 0
    other_rsvps: int = 0


def signals_of(answer: Rsvp | GuestRsvp | None, maker_id: str) -> Signals:
    """What one RSVP adds: children, who is brought along, or answered for by name, give none."""
    if answer is None or answer.status not in COMING:
        return Signals()
    if isinstance(answer, GuestRsvp):
        is_own, is_maker = answer.entered_by is None, False
    else:
        is_child = answer.user_id.startswith("managed_")  # a parent may answer for them as well
        is_own, is_maker = answer.with_user_id is None and not is_child, answer.user_id == maker_id
    return Signals(
        going_rsvps=int(is_own and answer.status == "GOING"),
        other_rsvps=int(is_own and not is_maker),
    )
