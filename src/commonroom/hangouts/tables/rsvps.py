"""Answers: who comes, with whom."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from commonroom.hangouts.tables.inviter import OnHangout, inviter, keys_on_hangout
from commonroom.store import Entity, Keys

RsvpStatus: TypeAlias = Literal["GOING", "INTERESTED", "NOT_GOING"]


class RsvpBase(Entity, rename="camel"):
    """What every answer has. Whether those who go wait for a place, the hangout says."""

    hangout_id: str
    status: RsvpStatus
    note: str | None = None
    plus_guests: int = 0
    """How many come along who are not named."""
    created_at: str
    updated_at: str


class Rsvp(RsvpBase, table=inviter, kind="RSVP"):
    """The answer of a person or a managed member: one for each, so that nobody counts twice."""

    user_id: str
    user_name: str | None = None
    companion_ids: list[str] = field(default_factory=list)
    """Managed members who come along; they have an answer each, which says so."""
    with_user_id: str | None = None
    """In whose party a managed member is, and is counted there."""

    keys = keys_on_hangout("RSVP#{user_id}", "RSVP")


class GuestRsvp(RsvpBase, table=inviter, kind="GUEST_RSVP"):
    """The answer of a person without an account, by the guest link or entered for them."""

    guest_id: str
    name: str
    entered_by: str | None = None
    """Who answered for them, where they did not themselves."""
    change_hash: str | None = None
    """The digest of the private link that changes it."""

    keys = Keys(PK="EVENT#{hangout_id}", SK="RSVP#GUEST#{guest_id}")


class RsvpDependent(OnHangout):
    """What a person takes on a hangout; it goes back where they do not come after all."""

    rsvp_status: RsvpStatus | None = None
    """What they had answered when they took it; None where they had not."""
    taken_at: str | None = None
    """When that was; None for what earlier versions wrote."""
