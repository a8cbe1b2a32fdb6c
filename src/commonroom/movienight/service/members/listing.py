"""Who is in a household."""

from __future__ import annotations

from commonroom.accounts.rules import LONGEST_ID
from commonroom.accounts.tables import User, user_by_id
from commonroom.errors import NotFound
from commonroom.movienight.rules.households import Household, Member, longest_standing
from commonroom.movienight.tables import group_by_id, members_of_group
from commonroom.store import Store


async def members_of(store: Store, group_id: str) -> list[Member]:
    """Everybody in a household, the longest-standing first: two requests."""
    memberships = (await store.page(members_of_group(group_id=group_id))).items
    users = await store.batch_get([User.at(user_id=one.user_id) for one in memberships])
    members = [Member(user, one) for user, one in zip(users, memberships, strict=True)]
    return sorted(members, key=longest_standing)


async def household_with(store: Store, group_id: str) -> Household | None:
    """A household and everybody in it: three requests.

    Whoever comes or goes raises the group's version. It is read first, so whoever then writes
    holding it knows that the members are still these.
    """
    group = await store.get(group_by_id(group_id=group_id))
    return None if group is None else Household(group, await members_of(store, group_id))


async def member_in(store: Store, group_id: str, member_id: str) -> User:
    """One member of a household, as stored now."""
    # It may come from an address, and a key takes only so much.
    fits = 0 < len(member_id) <= LONGEST_ID and member_id.isprintable()
    member = await store.get(user_by_id(user_id=member_id)) if fits else None
    if member is None or member.household_id != group_id:
        raise no_such_member()
    return member


def no_such_member() -> NotFound:
    """The refusal where somebody is not in the household, or no longer."""
    return NotFound("This member is not in the household.")
