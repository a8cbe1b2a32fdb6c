"""Households: made, changed, deleted."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.households import (
    change_household,
    create_household,
    delete_household,
)
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import add_managed, leave
from commonroom.movienight.tables import Household, HouseholdMembership, Preferences
from commonroom.store import ConditionFailed, Store, counting, equal
from tests.accounts.people import Meanwhile, Watch
from tests.movienight.evenings import (
    check_households,
    context_of,
    everything_of,
    home_of,
    likes,
    now_of,
)
from tests.support.context import at


class TestCreateHousehold:
    async def test_makes_a_household_with_its_creator(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with counting() as tally:
            made = await create_household(
                Context(store, ada, clock()),
                name=" The Lindens ",
                services=["netflix", "disney_plus"],
            )

        assert await now_of(store, made) == made
        assert made == Household(
            group_id=made.group_id,
            name="The Lindens",
            created_by=ada.user_id,
            streaming_services=["disney_plus", "netflix"],
            created_at=iso(clock()),
            member_count=1,
            member_ids=[ada.user_id],
        )
        assert await everything_of(store.engine, HouseholdMembership) == [
            HouseholdMembership(
                group_id=made.group_id,
                user_id=ada.user_id,
                role="creator",
                member_type="independent",
                joined_at=iso(clock()),
            )
        ]
        assert (await now_of(store, ada)).household_id == made.group_id
        assert tally.requests == 1
        await check_households(store.engine)

    async def test_a_second_one_is_a_conflict(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        for person in (ada, ben):  # as they were before they had one
            with pytest.raises(Conflict, match="only be in one household"):
                await create_household(Context(store, person, clock()), name="Another")

        assert await everything_of(store.engine, Household) == [home]
        await check_households(store.engine)

    async def test_can_be_done_again_after_leaving(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        await leave(at(store, clock(), await context_of(store, ben)))

        another = await create_household(Context(store, ben, clock()), name="Another")

        assert another.created_by == ben.user_id
        await check_households(store.engine)

    @pytest.mark.parametrize(
        "field, given",
        [
            ("name", {"name": " "}),
            ("name", {"name": "x" * 41}),
            ("streaming_services", {"name": "Home", "services": ["Netflix"]}),
        ],
    )
    async def test_names_a_field_that_does_not_fit(
        self, store: Store, clock: Watch, ada: User, field: str, given: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await create_household(Context(store, ada, clock()), **given)

        assert caught.value.field == field
        assert await everything_of(store.engine, Household) == []

    async def test_is_nothing_for_a_managed_member(
        self, store: Store, clock: Watch, zoe: User
    ) -> None:
        with pytest.raises(Forbidden):
            await create_household(Context(store, zoe, clock()), name="Dolls")

    async def test_is_nothing_for_a_deleted_account(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await delete_account(store, ada, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await create_household(Context(store, ada, clock()), name="Home")
        assert await everything_of(store.engine, Household) == []


class TestChangeHousehold:
    async def test_changes_what_is_given_and_leaves_the_rest(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        clock.forward(1)
        ctx = await context_of(store, ada)

        await change_household(at(store, clock(), ctx), name="The Lindens")
        changed = await change_household(at(store, clock(), ctx), services=["netflix"])

        assert changed == await now_of(store, home)
        assert changed == replace(
            home,
            name="The Lindens",
            streaming_services=["netflix"],
            updated_at=iso(clock()),
            version=home.version + 2,
        )

    async def test_is_for_every_independent_member(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        changed = await change_household(
            at(store, clock(), await context_of(store, ben)), services=["netflix"]
        )

        assert changed.streaming_services == ["netflix"]

    async def test_can_take_all_services_away(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        ctx = await context_of(store, ada)
        await change_household(at(store, clock(), ctx), services=["netflix"])

        changed = await change_household(at(store, clock(), ctx), services=[])

        assert changed.streaming_services == []

    async def test_is_nothing_for_a_managed_member(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        with pytest.raises(Forbidden):
            await change_household(
                at(store, clock(), await context_of(store, ben, zoe)), name="Zoe’s"
            )

    @pytest.mark.parametrize("given", [{"name": ""}, {"services": ["Netflix"]}])
    async def test_changes_nothing_where_a_field_does_not_fit(
        self, store: Store, clock: Watch, home: Household, ada: User, given: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField):
            await change_household(at(store, clock(), await context_of(store, ada)), **given)

        assert await now_of(store, home) == home

    async def test_changes_nothing_where_the_callers_condition_does_not_hold(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        with pytest.raises(ConditionFailed):
            await change_household(
                at(store, clock(), await context_of(store, ada)),
                name="Mine",
                if_=equal(name="Yours"),
            )

        assert await now_of(store, home) == home

    async def test_is_nothing_for_somebody_who_leaves_meanwhile(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        ctx = await context_of(store, ben)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=Household)

        with pytest.raises(NotFound):
            await change_household(at(slow, clock(), ctx), name="Mine")
        assert (await now_of(store, home)).name == home.name

    async def test_does_not_bring_a_deleted_household_back(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        ctx = await context_of(store, ada)
        await delete_household(at(store, clock(), ctx), "Home")

        with pytest.raises(NotFound):
            await change_household(at(store, clock(), ctx), name="Mine")
        assert await store.get(home.ref) is None


class TestDeleteHousehold:
    async def test_leaves_everybody_without_a_household_at_once(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        for person, acting_as in ((ada, None), (ben, None), (ben, zoe)):
            await likes(store, clock, person, acting_as)

        with counting() as tally:
            await delete_household(at(store, clock(), await context_of(store, ada)), " HOME ")

        for kind in (Household, HouseholdMembership, Preferences):
            assert await everything_of(store.engine, kind) == []
        for user in (ada, ben, zoe):
            assert (await now_of(store, user)).household_id is None
        assert (await now_of(store, ben)).managed_count == 1
        assert tally.writes == 1

    async def test_takes_eight_members_in_one_write(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await home_of(store, clock, ada)
        for n in range(7):
            await add_managed(
                at(store, clock(), await context_of(store, ada)), display_name=f"Child {n}"
            )

        with counting() as tally:
            await delete_household(at(store, clock(), await context_of(store, ada)), "Home")

        assert tally.writes == 1
        assert await everything_of(store.engine, HouseholdMembership) == []

    @pytest.mark.parametrize("typed", ["", "yes", "Hom", "delete"])
    async def test_needs_the_name_typed(
        self, store: Store, clock: Watch, home: Household, ada: User, typed: str
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await delete_household(at(store, clock(), await context_of(store, ada)), typed)

        assert caught.value.field == "typed"
        assert await now_of(store, home) == home

    async def test_is_only_for_the_creator(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        own = await add_managed(
            at(store, clock(), await context_of(store, ada)), display_name="Yann"
        )

        for person, acting_as in ((ben, None), (ben, zoe), (ada, own)):
            with pytest.raises(Forbidden):
                await delete_household(
                    at(store, clock(), await context_of(store, person, acting_as)), "Home"
                )
        await check_households(store.engine)

    async def test_takes_whoever_joins_meanwhile_along(
        self, store: Store, clock: Watch, home: Household, ada: User, eve: User
    ) -> None:
        link = await create_invite(at(store, clock(), await context_of(store, ada)))
        ctx = await context_of(store, ada)
        slow = Meanwhile(
            store, lambda: join(Context(store, eve, clock()), link.token), before_writing=Household
        )

        await delete_household(at(slow, clock(), ctx), "Home")

        assert (await now_of(store, eve)).household_id is None
        assert await everything_of(store.engine, HouseholdMembership) == []
        await check_households(store.engine)

    async def test_happens_only_once(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        ctx = await context_of(store, ada)
        await delete_household(at(store, clock(), ctx), "Home")

        with pytest.raises(NotFound):
            await delete_household(at(store, clock(), ctx), "Home")
