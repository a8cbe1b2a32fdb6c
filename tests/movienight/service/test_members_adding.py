"""Coming into a household."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.service import profiles
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import MAX_MEMBERS
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.members import (
    add_managed,
    bring_along,
    leave,
    list_members,
    remove_member,
)
from commonroom.movienight.tables import Household, HouseholdMembership
from commonroom.store import Store, counting
from tests.accounts.people import Meanwhile, Watch
from tests.movienight.evenings import check_households, context_of, everything_of, now_of
from tests.support.context import at


@pytest.fixture
async def yann(store: Store, clock: Watch, home: Household, ada: User) -> User:
    """A child of Ada's, who is in no household yet."""
    return await profiles.add_managed(Context(store, ada, clock()), display_name="Yann")


class TestAddManaged:
    async def test_makes_a_managed_member_in_the_household_at_once(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        clock.forward(1)
        ctx = await context_of(store, ben)

        with counting() as tally:
            zoe = await add_managed(at(store, clock(), ctx), display_name=" Zoe ", avatar_key="owl")

        assert tally.requests == 1
        assert zoe.user_id.startswith("managed_")
        assert await now_of(store, zoe) == zoe
        assert zoe == User(
            user_id=zoe.user_id,
            display_name="Zoe",
            avatar_key="owl",
            is_managed=True,
            parent_user_id=ben.user_id,
            content_rating_ceiling="PG",
            created_at=iso(clock()),
            household_id=home.group_id,
        )
        seats = [one.membership for one in await list_members(store, home.group_id)]
        assert seats[-1] == HouseholdMembership(
            group_id=home.group_id,
            user_id=zoe.user_id,
            role="member",
            member_type="managed",
            joined_at=iso(clock()),
        )
        assert (await now_of(store, ben)).managed_count == 1
        await check_households(store.engine)

    async def test_attributes_that_key_an_index_are_absent_never_empty(
        self, store: Store, home: Household, ada: User, zoe: User
    ) -> None:
        wanted = [(User.schema.table, (one.user_id,)) for one in (zoe, ada)]

        child, adult = await store.engine.batch_get(wanted)

        assert child is not None
        assert adult is not None
        assert "email" not in child
        assert "notification_prefs" not in child
        assert "parent_user_id" not in adult
        assert "content_rating_ceiling" not in adult

    async def test_may_be_a_stricter_ceiling_from_the_start(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        ctx = await context_of(store, ben)

        zoe = await add_managed(at(store, clock(), ctx), display_name="Zoe", ceiling="G")

        assert zoe.content_rating_ceiling == "G"

    async def test_is_for_every_independent_member_and_for_no_managed_one(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        await add_managed(at(store, clock(), await context_of(store, ada)), display_name="Yann")

        with pytest.raises(Forbidden):
            await add_managed(
                at(store, clock(), await context_of(store, ben, zoe)), display_name="Doll"
            )
        assert (await now_of(store, ben)).managed_count == 1
        await check_households(store.engine)

    async def test_fills_a_household_up_to_eight_members(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        for n in range(MAX_MEMBERS - 2):
            await add_managed(
                at(store, clock(), await context_of(store, ada)), display_name=f"Child {n}"
            )

        with pytest.raises(Conflict, match="full"):
            await add_managed(
                at(store, clock(), await context_of(store, ben)), display_name="One more"
            )

        assert (await now_of(store, home)).member_count == MAX_MEMBERS
        assert (await now_of(store, ben)).managed_count == 0
        assert len(await everything_of(store.engine, User)) == MAX_MEMBERS
        await check_households(store.engine)

    async def test_needs_room_among_those_whom_an_account_manages(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        for n in range(MAX_MANAGED):
            await profiles.add_managed(Context(store, ada, clock()), display_name=f"Child {n}")

        with pytest.raises(Forbidden, match="up to 8"):
            await add_managed(
                at(store, clock(), await context_of(store, ada)), display_name="One more"
            )
        assert await now_of(store, home) == home
        await check_households(store.engine)

    @pytest.mark.parametrize(
        "given", [{"display_name": " "}, {"display_name": "Zoe", "avatar_key": "dragon"}]
    )
    async def test_makes_nobody_where_a_field_does_not_fit(
        self, store: Store, clock: Watch, home: Household, ada: User, given: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField):
            await add_managed(at(store, clock(), await context_of(store, ada)), **given)
        assert await now_of(store, home) == home

    async def test_makes_nobody_for_somebody_who_left_meanwhile(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        ctx = await context_of(store, ben)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=User)

        with pytest.raises(NotFound):
            await add_managed(at(slow, clock(), ctx), display_name="Zoe")
        assert (await now_of(store, ben)).managed_count == 0
        await check_households(store.engine)

    async def test_makes_nobody_for_a_deleted_account(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        ctx = await context_of(store, ben)
        await delete_account(store, await now_of(store, ben), typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await add_managed(at(store, clock(), ctx), display_name="Zoe")
        assert len(await everything_of(store.engine, User)) == 1


class TestBringAlong:
    async def test_brings_a_managed_member_who_is_nowhere_yet(
        self, store: Store, clock: Watch, home: Household, ada: User, yann: User
    ) -> None:
        await bring_along(at(store, clock(), await context_of(store, ada)), yann.user_id)

        assert await now_of(store, yann) == replace(yann, household_id=home.group_id)
        members = await list_members(store, home.group_id)
        assert members[-1].user_id == yann.user_id
        await check_households(store.engine)

    async def test_is_a_conflict_where_the_member_is_there_already(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        with pytest.raises(Conflict):
            await bring_along(at(store, clock(), await context_of(store, ben)), zoe.user_id)
        await check_households(store.engine)

    async def test_is_only_for_the_parent(
        self, store: Store, clock: Watch, ben: User, zoe: User, yann: User
    ) -> None:
        with pytest.raises(NotFound):
            await bring_along(at(store, clock(), await context_of(store, ben)), yann.user_id)
        with pytest.raises(Forbidden):
            await bring_along(at(store, clock(), await context_of(store, ben, zoe)), yann.user_id)
        assert await now_of(store, yann) == yann

    async def test_brings_no_accounts(
        self, store: Store, clock: Watch, home: Household, ada: User, eve: User
    ) -> None:
        with pytest.raises(NotFound):
            await bring_along(at(store, clock(), await context_of(store, ada)), eve.user_id)
        assert await now_of(store, eve) == eve

    async def test_is_a_conflict_where_the_household_is_full(
        self, store: Store, clock: Watch, ada: User, yann: User
    ) -> None:
        for n in range(MAX_MEMBERS - 2):
            await add_managed(
                at(store, clock(), await context_of(store, ada)), display_name=f"Child {n}"
            )

        with pytest.raises(Conflict, match="full"):
            await bring_along(at(store, clock(), await context_of(store, ada)), yann.user_id)
        assert await now_of(store, yann) == yann

    async def test_brings_back_a_member_that_was_taken_out(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        ctx = await context_of(store, ben)
        await remove_member(at(store, clock(), ctx), zoe.user_id)

        await bring_along(at(store, clock(), ctx), zoe.user_id)

        assert await now_of(store, zoe) == zoe
        await check_households(store.engine)

    async def test_does_not_leave_a_child_behind_where_its_parent_leaves_meanwhile(
        self, store: Store, clock: Watch, home: Household, ada: User, yann: User
    ) -> None:
        ctx = await context_of(store, ada)
        slow = Meanwhile(
            store, lambda: leave(at(store, clock(), ctx)), before_writing=HouseholdMembership
        )

        with pytest.raises(NotFound):
            await bring_along(at(slow, clock(), ctx), yann.user_id)
        assert (await now_of(store, yann)).household_id is None
        await check_households(store.engine)

    async def test_does_not_bring_a_deleted_household_back(
        self, store: Store, clock: Watch, home: Household, ada: User, yann: User
    ) -> None:
        ctx = await context_of(store, ada)
        await delete_household(at(store, clock(), ctx), "Home")

        with pytest.raises(NotFound):
            await bring_along(at(store, clock(), ctx), yann.user_id)
        assert await store.get(home.ref) is None
