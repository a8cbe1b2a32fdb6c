"""Who is in a household."""

from __future__ import annotations

import pytest

from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.movienight.service.members import add_managed, get_member, list_members
from commonroom.movienight.tables import Household
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of, home_of, now_of
from tests.support.context import at


class TestMembersOf:
    async def test_are_in_the_order_they_came(
        self, store: Store, home: Household, ada: User, ben: User, zoe: User
    ) -> None:
        members = await list_members(store, home.group_id)

        assert [one.user for one in members] == [
            await now_of(store, one) for one in (ada, ben, zoe)
        ]
        assert [one.membership.role for one in members] == ["creator", "member", "member"]
        assert [one.membership.member_type for one in members] == [
            "independent",
            "independent",
            "managed",
        ]
        assert not any(one.is_gone for one in members)

    @pytest.mark.parametrize("children", [0, 7])
    async def test_take_two_requests_however_many_they_are(
        self, store: Store, clock: Watch, ada: User, children: int
    ) -> None:
        group = await home_of(store, clock, ada)
        for n in range(children):
            await add_managed(
                at(store, clock(), await context_of(store, ada)), display_name=f"Child {n}"
            )

        with counting() as tally:
            members = await list_members(store, group.group_id)

        assert len(members) == 1 + children
        assert tally.requests == 2

    async def test_are_nobody_in_no_household(self, store: Store) -> None:
        assert await list_members(store, "nowhere") == []

    async def test_whose_account_was_deleted_are_gone(
        self, store: Store, home: Household, ben: User
    ) -> None:
        await delete_account(store, await now_of(store, ben), typed=CONFIRMATION)

        members = await list_members(store, home.group_id)

        assert [one.is_gone for one in members] == [False, True]
        assert members[1].user is None


class TestMemberIn:
    async def test_is_the_member_as_stored_now(
        self, store: Store, home: Household, ben: User
    ) -> None:
        assert await get_member(store, home.group_id, ben.user_id) == await now_of(store, ben)

    async def test_is_nobody_from_elsewhere(
        self, store: Store, clock: Watch, home: Household, eve: User
    ) -> None:
        await home_of(store, clock, eve)

        with pytest.raises(NotFound):
            await get_member(store, home.group_id, eve.user_id)

    @pytest.mark.parametrize("odd", ["", "managed_", "x" * 3000, "\ud800", "a\nb"])
    async def test_refuses_what_is_nobody(self, store: Store, home: Household, odd: str) -> None:
        with pytest.raises(NotFound):
            await get_member(store, home.group_id, odd)
