"""Participation: a person acts on a hangout that they may have, and have not declined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Unauthorized
from commonroom.hangouts.service.access import HangoutAccess, no_such, open_hangout
from commonroom.hangouts.service.guards import same_rsvp, status_of
from commonroom.hangouts.service.rsvps import check_open
from commonroom.hangouts.tables import Hangout, Rsvp, RsvpStatus
from commonroom.moments import iso
from commonroom.store import Condition, Entity, Ref, Write, check, equal

E = TypeVar("E", bound=Entity)


class Participation(Struct, frozen=True):
    """A participant of a hangout, as all of it was read."""

    access: HangoutAccess
    member: User
    """The person, or the managed member whom they act for."""
    rsvp: Rsvp | None
    also: Sequence[Any]
    """What else was read, in the order asked for; None for what is not there."""

    @property
    def hangout(self) -> Hangout:
        """The hangout."""
        return self.access.hangout

    @property
    def unchanged(self) -> Condition:
        """That the hangout is still there, on, and theirs: every edit raises its version."""
        return equal(version=self.hangout.version)

    @property
    def held(self) -> list[Write]:
        """What must hold while something is written, but for the hangout itself."""
        return [
            check(self.member, if_=equal(display_name=self.member.display_name)),
            *self.access.still_allowed,
        ]

    @property
    def rsvp_status(self) -> RsvpStatus | None:
        """What they have answered, which what they take remembers."""
        return status_of(self.rsvp)

    @property
    def signature(self) -> dict[str, Any]:
        """On which hangout something is, and whose it is."""
        return {
            "hangout_id": self.hangout.hangout_id,
            "user_id": self.member.user_id,
            "user_name": self.member.display_name,
        }

    def taken(self, now: float) -> dict[str, Any]:
        """The signature of what is taken now, under the answer that they have given."""
        return {**self.signature, "rsvp_status": self.rsvp_status, "taken_at": iso(now)}

    def answered(self) -> list[Write]:
        """Returns the checks that their answer is as it was read."""
        return [same_rsvp(self.hangout.hangout_id, self.member.user_id, self.rsvp)]

    def coming(self) -> list[Write]:
        """That they have not said they can't come; a later refusal gives things back."""
        if self.rsvp_status == "NOT_GOING":
            raise Conflict("You said you can’t go. Change your answer first.")
        return self.answered()

    def adding(self) -> Participation:
        """Returns it if they may add to the hangout; passers-by may only join in."""
        self.access.extendable()
        return self

    def still_on(self, now: float) -> Participation:
        """Returns it if the hangout is neither cancelled nor over."""
        check_open(self.hangout, now)
        return self

    def holding(self) -> list[Write]:
        """Returns everything that must hold, where the hangout itself is not written."""
        return [check(self.hangout, if_=self.unchanged), *self.held]


async def take_part(
    ctx: Context, member: User, hangout_id: str, *, also: Sequence[Ref[Any]] = ()
) -> Participation:
    """Returns a participant of a hangout: two requests; `also` is read with the second."""
    own: list[Ref[Any]] = [
        User.at(user_id=member.user_id),
        Rsvp.at(hangout_id=hangout_id, user_id=member.user_id),
    ]
    access = await open_hangout(ctx, hangout_id, also=[*own, *also])
    now, rsvp, *others = access.also
    if now is None:
        raise Unauthorized("Please sign in, or send an API token.")
    return Participation(access, now, rsvp, others)


async def take_part_in(
    ctx: Context, member: User, ref: Ref[E], *, also: Sequence[Ref[Any]] = ()
) -> tuple[Participation, E]:
    """Returns a participant of a hangout, and a thing on it: two requests."""
    part = await take_part(ctx, member, ref.fields["hangout_id"], also=[*also, ref])
    *others, thing = part.also
    if thing is None:
        raise no_such(ref.entity)
    return replace(part, also=others), thing
