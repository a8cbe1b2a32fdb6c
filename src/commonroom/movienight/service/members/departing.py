"""Going from a household: leaving, being taken out, being gone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TypeAlias

from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import Household, Member, Parting, may_remove, parting
from commonroom.movienight.service.members.listing import household_with, no_such_member
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Membership, Preferences
from commonroom.store import Store, Write, check, delete, equal, update

Leavers: TypeAlias = Callable[[Household], Collection[str]]
"""Who is to go from a household as it is now; refuses where that may not be."""


async def leave(store: Store, now: float, seat: Seat) -> None:
    """Leaves the household, with one's managed members and what they all like.

    The longest-standing independent member becomes creator; where there is none, the household is
    deleted.
    """
    if seat.is_acting:
        raise Forbidden("A managed member cannot leave on their own.")
    await remove_member(store, now, seat, seat.member_id)


async def remove_member(store: Store, now: float, seat: Seat, member_id: str) -> None:
    """Takes somebody out of the household; a managed member's profile stays with its parent."""

    def leavers(household: Household) -> Collection[str]:
        found = (one.user for one in household.members if one.user_id == member_id)
        member = next(found, None)
        if member is None:
            raise no_such_member()
        if not may_remove(seat.member_id, household.group.created_by, member):
            raise Forbidden(
                "Only the household’s creator, or the person who manages this member, can do that."
            )
        return [member_id]

    await part(store, now, seat.group_id, leavers)


async def forget(store: Store, now: float, group_id: str) -> None:
    """Clears the seats of members whose accounts were deleted; doing it again changes nothing."""
    with suppress(NotFound):
        await part(store, now, group_id, lambda _: ())


async def part(store: Store, now: float, group_id: str, leavers: Leavers) -> None:
    """Lets members go, all in one write; whoever comes or goes meanwhile makes it begin anew."""

    async def attempt() -> None:
        household = await household_with(store, group_id)
        if household is None:
            raise NotFound("This household was deleted.")
        parted = parting(household, leavers(household))
        if parted.leaving:
            await store.write(*_writes(now, household, parted))

    await retry(attempt)


def _writes(now: float, household: Household, parted: Parting) -> list[Write]:
    left = [write for member in parted.leaving for write in _without(member)]
    return [*_household(now, household, parted), *left]


def _household(now: float, household: Household, parted: Parting) -> list[Write]:
    """The household without them, and with its next creator where that one goes."""
    group = household.group
    if parted.creator_id is None:
        return [delete(group, if_=equal(version=group.version))]
    stays = update(
        group,
        created_by=parted.creator_id,
        member_count=len(parted.staying),
        updated_at=iso(now),
    )
    if parted.creator_id == group.created_by:
        return [stays]
    next_creator = Membership.at(group_id=group.group_id, user_id=parted.creator_id)
    return [
        stays,
        update(next_creator, role="creator"),
        check(User.at(user_id=parted.creator_id), if_=equal(household_id=group.group_id)),
    ]


def _without(member: Member) -> list[Write]:
    """That somebody has no seat and no household any more."""
    group_id, user_id = member.membership.group_id, member.user_id
    writes = [
        delete(member.membership),
        delete(Preferences.at(group_id=group_id, user_id=user_id)),
    ]
    if not member.is_gone:
        here = equal(household_id=group_id)
        writes.append(update(User.at(user_id=user_id), household_id=None, if_=here))
    return writes
