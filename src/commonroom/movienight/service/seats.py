"""Seats: who asks, for whom, and in which household."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.film_sources import NO_SOURCES, FilmSources
from commonroom.movienight.tables import Household, group_by_id
from commonroom.store import Entity, Ref, Store, Write, equal, update

E = TypeVar("E", bound=Entity)


class Seat(Struct, frozen=True):
    """Somebody's place in their household, for the length of one request.

    It says how things were when it was taken: what must still hold when something is written is a
    condition of that write.
    """

    store: Store
    group: Household
    person: User
    """The account at the screen."""
    member: User
    """Whom the request is for: the person, or the managed member that is acted for."""
    now: float
    """The moment of the request: whatever it writes happened then."""
    sources: FilmSources = NO_SOURCES
    """Where films can come from besides the catalogue, for whoever asks."""

    @property
    def group_id(self) -> str:
        """The household."""
        return self.group.group_id

    @property
    def member_id(self) -> str:
        """Whom the request is for."""
        return self.member.user_id

    @property
    def is_acting(self) -> bool:
        """Whether the person acts for a managed member."""
        return self.member.user_id != self.person.user_id

    @property
    def is_creator(self) -> bool:
        """Whether the household's creator asks, for themselves."""
        return self.member.user_id == self.group.created_by


def no_such_household() -> NotFound:
    """The refusal for a household that is not there, or not theirs."""
    return NotFound("This household does not exist, or you are not in it.")


async def get_seat(ctx: Context, member: User, group_id: str) -> Seat:
    """The seat in a household that is theirs: one request."""
    seat = await find_seat(ctx, member) if ctx.person.household_id == group_id else None
    if seat is None:
        raise no_such_household()
    return seat


async def find_seat(ctx: Context, member: User) -> Seat | None:
    """The seat in whichever household is theirs; None where they have none. At most one request."""
    group_id = find_household_id(ctx, member)
    group = None if group_id is None else await ctx.store.get(group_by_id(group_id=group_id))
    return None if group is None else Seat(ctx.store, group, ctx.person, member, ctx.now)


async def find_seat_and(
    ctx: Context, member: User, ref: Ref[E]
) -> tuple[Seat, E | None] | tuple[None, None]:
    """The seat in whichever household is theirs, and something that is read along with it."""
    group_id = find_household_id(ctx, member)
    if group_id is None:
        return None, None
    refs: list[Ref[Any]] = [Household.at(group_id=group_id), ref]
    group, found = await ctx.store.batch_get(refs)
    return (
        (None, None)
        if group is None
        else (Seat(ctx.store, group, ctx.person, member, ctx.now), found)
    )


def find_household_id(ctx: Context, member: User) -> str | None:
    """The household that is theirs, for what needs nothing else of it; no request."""
    group_id = ctx.person.household_id
    if group_id is not None and member.household_id != group_id:
        raise Forbidden("This member is not in the household. Add them first.")
    return group_id


def touch_household(seat: Seat, *, by_creator: bool = False) -> Write:
    """That something changed in the household, which pages that show it watch for.

    With `by_creator`, only where whoever sits here is still its creator.
    """
    still = equal(created_by=seat.member_id) if by_creator else None
    return update(seat.group.ref, updated_at=iso(seat.now), if_=still)
