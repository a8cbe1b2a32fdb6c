"""Who asks, for whom, and in which household."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed as add_to_account
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.movienight.service.household_context import (
    find_household_context,
    get_household_context,
)
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.tables import Household
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of, home_of, now_of
from tests.support.context import at


class TestSeated:
    async def test_is_the_household_the_person_and_whom_they_ask_for(
        self, store: Store, home: Household, ada: User
    ) -> None:
        ada = await now_of(store, ada)

        with counting() as tally:
            ctx = await get_household_context(Context(store, ada), ada, home.group_id)

        assert (ctx.group, ctx.person, ctx.member) == (home, ada, ada)
        assert (ctx.group_id, ctx.member_id) == (home.group_id, ada.user_id)
        assert ctx.is_creator
        assert not ctx.is_acting
        assert tally.requests == 1

    async def test_is_not_the_creators_for_others(
        self, store: Store, home: Household, ben: User
    ) -> None:
        assert not (await context_of(store, ben)).is_creator

    async def test_is_nowhere_for_strangers(
        self, store: Store, clock: Watch, home: Household, eve: User
    ) -> None:
        with pytest.raises(NotFound):
            await get_household_context(Context(store, eve), eve, home.group_id)

        await home_of(store, clock, eve)
        eve = await now_of(store, eve)
        with pytest.raises(NotFound):
            await get_household_context(Context(store, eve), eve, home.group_id)

    @pytest.mark.parametrize("odd", ["", "home", "x" * 5000, "\ud800"])
    async def test_is_nowhere_in_what_is_no_household(
        self, store: Store, home: Household, ada: User, odd: str
    ) -> None:
        ada = await now_of(store, ada)

        with pytest.raises(NotFound):
            await get_household_context(Context(store, ada), ada, odd)

    async def test_is_nowhere_once_the_household_is_deleted(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        before = await now_of(store, ben)
        await delete_household(at(store, clock(), await context_of(store, ada)), "home")

        with pytest.raises(NotFound):
            await get_household_context(Context(store, before), before, home.group_id)

    async def test_for_a_managed_member_is_that_members(
        self, store: Store, home: Household, ben: User, zoe: User
    ) -> None:
        ctx = await context_of(store, ben, zoe)

        assert ctx.is_acting
        assert (ctx.person.user_id, ctx.member_id) == (ben.user_id, zoe.user_id)

    async def test_of_a_creator_who_acts_for_a_member_is_not_the_creators(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        child = await add_managed(
            at(store, clock(), await context_of(store, ada)), display_name="Yann"
        )

        assert not (await context_of(store, ada, child)).is_creator

    async def test_for_a_member_who_is_not_in_this_household_is_refused(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        child = await add_to_account(Context(store, ada, clock()), display_name="Yann")
        ada = await now_of(store, ada)

        with pytest.raises(Forbidden) as caught:
            await get_household_context(Context(store, ada), child, home.group_id)
        assert caught.value.status == 403


class TestMySeat:
    async def test_is_none_without_a_household(self, store: Store, eve: User) -> None:
        with counting() as tally:
            assert await find_household_context(Context(store, eve), eve) is None

        assert tally.requests == 0

    async def test_is_in_whichever_household_is_mine(
        self, store: Store, home: Household, ben: User
    ) -> None:
        ben = await now_of(store, ben)

        ctx = await find_household_context(Context(store, ben), ben)

        assert ctx is not None
        assert ctx.group == home
