"""Admins look after a group, and it never stays behind without one."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.hangouts.service.groups import create_group
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.service.members import (
    leave_group,
    remove_member,
    see_members,
    set_role,
)
from commonroom.hangouts.tables import FriendGroup, GroupMembership, Role
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.hangouts.friends import check_groups, crowd_of, group_of, now_of, somebody


async def roles_of(store: Store, clock: Watch, who: User, group: FriendGroup) -> dict[str, Role]:
    """The members of a group and what they are, by name."""
    _, found = await see_members(Context(store, who, clock()), group.group_id)
    return {one.user_name or "": one.role for one in found}


async def test_members_come_in_the_order_in_which_they_joined_with_two_requests(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    group = await create_group(Context(store, ada, clock()), name="Friends")
    code = (await create_code(Context(store, ada, clock()), group.group_id)).code
    for one in (eve, ben):
        clock.forward(60)
        await join(Context(store, one, clock()), code)
    clock.forward(60)
    await crowd_of(store, clock, group, 40)
    with counting() as tally:
        _, found = await see_members(Context(store, ben, clock()), group.group_id)
    assert tally.requests == 2
    assert [one.user_name for one in found][:3] == ["Ada", "Eve", "Ben"]
    assert len(found) == 43


class TestRoles:
    async def test_an_admin_promotes_and_demotes(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
        with pytest.raises(Forbidden):
            await set_role(bens, friends.group_id, ben.user_id, "ADMIN")
        await set_role(adas, friends.group_id, ben.user_id, "ADMIN")
        await set_role(adas, friends.group_id, ben.user_id, "ADMIN")
        await set_role(bens, friends.group_id, ada.user_id, "MEMBER")
        assert await roles_of(store, clock, ada, friends) == {"Ada": "MEMBER", "Ben": "ADMIN"}
        await check_groups(store.engine)

    async def test_the_last_admin_stays_one(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        ctx = Context(store, ada, clock())
        with pytest.raises(Conflict, match="needs an admin"):
            await set_role(ctx, friends.group_id, ada.user_id, "MEMBER")

    @pytest.mark.parametrize("who", ["nobody", "a#b", ""])
    async def test_whoever_is_not_in_the_group_has_none(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup, who: str
    ) -> None:
        with pytest.raises(NotFound):
            await set_role(Context(store, ada, clock()), friends.group_id, who, "ADMIN")


class TestLeaving:
    async def test_of_the_last_admin_makes_whoever_is_there_longest_one(
        self, store: Store, clock: Watch, ada: User, eve: User, ben: User
    ) -> None:
        group = await create_group(Context(store, ada, clock()), name="Friends")
        code = (await create_code(Context(store, ada, clock()), group.group_id)).code
        for one in (eve, ben):
            clock.forward(60)
            await join(Context(store, one, clock()), code)
        await leave_group(Context(store, ada, clock()), group.group_id)
        assert await roles_of(store, clock, ben, group) == {"Eve": "ADMIN", "Ben": "MEMBER"}
        await check_groups(store.engine)

    async def test_of_one_of_two_admins_changes_nobody_else(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, eve)
        await set_role(Context(store, ada, clock()), group.group_id, eve.user_id, "ADMIN")
        await leave_group(Context(store, ada, clock()), group.group_id)
        assert await roles_of(store, clock, ben, group) == {"Ben": "MEMBER", "Eve": "ADMIN"}
        await check_groups(store.engine)

    async def test_of_the_last_one_deletes_the_group(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        for one in (ada, ben):
            await leave_group(Context(store, one, clock()), friends.group_id)
        assert await store.get(friends.ref) is None

    async def test_twice_is_not_found(
        self, store: Store, clock: Watch, ben: User, friends: FriendGroup
    ) -> None:
        await leave_group(Context(store, ben, clock()), friends.group_id)
        with pytest.raises(NotFound):
            await leave_group(Context(store, ben, clock()), friends.group_id)

    async def test_makes_room_for_another_group(
        self, store: Store, clock: Watch, ben: User, friends: FriendGroup
    ) -> None:
        await leave_group(Context(store, ben, clock()), friends.group_id)
        await check_groups(store.engine)
        assert (await now_of(store, friends)).member_count == 1


class TestRemoving:
    async def test_is_for_admins_and_ends_the_codes_that_whoever_is_removed_may_know(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
        code = (await create_code(bens, friends.group_id)).code
        with pytest.raises(Forbidden):
            await remove_member(bens, friends.group_id, ada.user_id)
        await remove_member(adas, friends.group_id, ben.user_id)
        with pytest.raises(NotFound):
            await join(bens, code)
        assert await roles_of(store, clock, ada, friends) == {"Ada": "ADMIN"}
        await check_groups(store.engine)

    async def test_oneself_is_leaving_and_leaves_the_codes_alone(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        code = (await create_code(Context(store, ada, clock()), friends.group_id)).code
        await remove_member(Context(store, ben, clock()), friends.group_id, ben.user_id)
        cleo = await somebody(store, clock, "Cleo")
        await join(Context(store, cleo, clock()), code)
        theirs = GroupMembership.at(group_id=friends.group_id, user_id=ben.user_id)
        assert await store.get(theirs) is None
        await check_groups(store.engine)
