"""Seats: who asks, for whom, and in which household."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.tables import Group, group_by_id
from commonroom.store import Store, Write, equal, update


class Seat(Struct, frozen=True):
    """Somebody's place in their household, for the length of one request.

    It says how things were when it was taken: what must still hold when something is written is a
    condition of that write.
    """

    store: Store
    group: Group
    person: User
    """The account at the screen."""
    member: User
    """Whom the request is for: the person, or the managed member that is acted for."""
    now: float
    """The moment of the request: whatever it writes happened then."""

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


async def get_seat(ctx: Context, member: User, group_id: str) -> Seat:
    """The seat in a household that is theirs: one request."""
    seat = await find_seat(ctx, member) if ctx.person.household_id == group_id else None
    if seat is None:
        raise NotFound("This household does not exist, or you are not in it.")
    return seat


async def find_seat(ctx: Context, member: User) -> Seat | None:
    """The seat in whichever household is theirs; None where they have none. At most one request."""
    if ctx.person.household_id is None:
        return None
    group = await ctx.store.get(group_by_id(group_id=ctx.person.household_id))
    if group is None:
        return None
    if member.household_id != group.group_id:
        raise Forbidden("This member is not in the household. Add them first.")
    return Seat(ctx.store, group, ctx.person, member, ctx.now)


def touch_household(seat: Seat, *, by_creator: bool = False) -> Write:
    """That something changed in the household, which pages that show it watch for.

    With `by_creator`, only where whoever sits here is still its creator.
    """
    still = equal(created_by=seat.member_id) if by_creator else None
    return update(seat.group.ref, updated_at=iso(seat.now), if_=still)
