"""What people do at the same moment: one of them is first, and the household stays whole."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, Conflict, NotFound
from commonroom.movienight.rules.households import MAX_INVITES, MAX_MEMBERS
from commonroom.movienight.service.invites import InviteExpired, NewInvite, create_invite
from commonroom.movienight.tables import Household, HouseholdMembership, Invite
from commonroom.store import ConditionFailed, Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import StoreError
from tests.accounts.people import Watch, at_once
from tests.movienight.evenings import (
    TABLES,
    check_households,
    check_nothing_drifts,
    context_of,
    everything_of,
    home_of,
    tidied,
)
from tests.movienight.races import scenes
from tests.movienight.races.scenes import SCENES, Scene
from tests.support.budget import examples
from tests.support.context import at
from tests.support.hostile_engine import HostileEngine


async def play(scene: Scene, store: Store, clock: Watch) -> list[CommonroomError]:
    """Who was refused in a scene; whatever happened, all households are whole."""
    doings = await scene(store, clock)
    _, refused = await at_once(*doings(store))
    assert not any(isinstance(one, StoreError) for one in refused)
    await check_households(store.engine, tidy=False)
    await tidied(store, clock)
    await check_households(store.engine)
    await check_nothing_drifts(store)
    return refused


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_households_stay_whole(scene: Scene, store: Store, clock: Watch) -> None:
    await play(scene, store, clock)


class TestOnePersonOneHousehold:
    @pytest.mark.parametrize(
        "scene", [scenes.two_creates, scenes.create_and_join, scenes.two_joins_of_one_person]
    )
    async def test_holds_under_two_simultaneous_requests(
        self, scene: Scene, store: Store, clock: Watch
    ) -> None:
        refused = await play(scene, store, clock)

        assert [type(one) for one in refused] == [Conflict]
        (eve,) = [
            one for one in await everything_of(store.engine, User) if one.display_name == "Eve"
        ]
        assert eve.household_id is not None


class TestTheEighthSeat:
    @pytest.mark.parametrize(
        "scene",
        [scenes.two_joins_of_the_eighth_seat, scenes.a_join_and_a_child_for_the_eighth_seat],
    )
    async def test_goes_to_one(self, scene: Scene, store: Store, clock: Watch) -> None:
        refused = await play(scene, store, clock)

        assert [type(one) for one in refused] == [Conflict]
        (group,) = await everything_of(store.engine, Household)
        assert group.member_count == MAX_MEMBERS
        for link in await everything_of(store.engine, Invite):
            # The link is used up exactly where the seat went to whoever had it.
            assert link.uses == (link.status == "accepted") == (link.ended_at is not None)

    async def test_is_taken_with_a_link_that_is_revoked_in_time_or_not_at_all(
        self, store: Store, clock: Watch
    ) -> None:
        refused = await play(scenes.revoke_and_the_last_join, store, clock)

        (group,) = await everything_of(store.engine, Household)
        statuses = {one.status for one in await everything_of(store.engine, Invite)}
        if refused:
            assert [type(one) for one in refused] == [InviteExpired]
            assert (group.member_count, statuses) == (MAX_MEMBERS - 1, {"pending", "revoked"})
        else:
            assert (group.member_count, statuses) == (MAX_MEMBERS, {"pending", "accepted"})

    async def test_is_taken_while_another_one_is_given_up(self, store: Store, clock: Watch) -> None:
        assert await play(scenes.leave_and_the_last_join, store, clock) == []

        (group,) = await everything_of(store.engine, Household)
        assert group.member_count == MAX_MEMBERS - 1


class TestLeaving:
    async def test_of_the_last_two_at_once_leaves_nothing(self, store: Store, clock: Watch) -> None:
        assert await play(scenes.the_last_two_leave, store, clock) == []

        assert await everything_of(store.engine, Household) == []
        assert await everything_of(store.engine, HouseholdMembership) == []

    async def test_of_the_creator_and_the_successor_makes_the_third_one_creator(
        self, store: Store, clock: Watch
    ) -> None:
        assert await play(scenes.the_creator_and_the_successor_leave, store, clock) == []

        (group,) = await everything_of(store.engine, Household)
        (ctx,) = await everything_of(store.engine, HouseholdMembership)
        assert ctx.user_id == group.created_by

    async def test_twice_at_once_is_leaving_once(self, store: Store, clock: Watch) -> None:
        refused = await play(scenes.one_leaves_twice, store, clock)

        assert [type(one) for one in refused] == [NotFound]


class TestJoining:
    async def test_while_the_creator_leaves_is_joining(self, store: Store, clock: Watch) -> None:
        assert await play(scenes.join_and_leave, store, clock) == []

        (group,) = await everything_of(store.engine, Household)
        assert group.member_count == 2

    @pytest.mark.parametrize("scene", [scenes.join_and_delete, scenes.join_and_the_last_one_leaves])
    async def test_a_household_that_ends_is_in_time_or_refused(
        self, scene: Scene, store: Store, clock: Watch
    ) -> None:
        refused = await play(scene, store, clock)

        assert [type(one) for one in refused] in ([], [InviteExpired])

    async def test_with_a_link_that_is_revoked_is_in_time_or_refused(
        self, store: Store, clock: Watch
    ) -> None:
        refused = await play(scenes.revoke_and_join, store, clock)

        (group,) = await everything_of(store.engine, Household)
        assert [type(one) for one in refused] == [InviteExpired] * (3 - group.member_count)

    async def test_while_ones_account_is_deleted_leaves_no_seat_behind(
        self, store: Store, clock: Watch
    ) -> None:
        await play(scenes.account_deletion_and_join, store, clock)

        (group,) = await everything_of(store.engine, Household)
        assert group.member_count == 2


class TestInviting:
    async def test_at_once_makes_as_many_as_are_said_to_be_made_and_never_more_than_twenty(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await home_of(store, clock, ada)
        ctx = await context_of(store, ada)
        made: list[NewInvite] = []
        for _ in range(8):
            came, refused = await at_once(
                *(create_invite(at(store, clock(), ctx)) for _ in range(4))
            )
            assert all(isinstance(one, Conflict) for one in refused)
            made += came

        kept = await everything_of(store.engine, Invite)
        assert {one.invite_token for one in kept} == {one.invite.invite_token for one in made}
        assert len(kept) == MAX_INVITES


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
@settings(max_examples=examples(15))
@given(seed=st.integers(0, 2**16))
async def test_households_stay_whole_on_a_hostile_engine(scene: Scene, seed: int) -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        doings = await scene(Store(calm), clock)
        hostile = await HostileEngine.around(calm, TABLES, folder, seed=seed, clock=clock)
        try:
            _, refused = await at_once(*doings(Store(hostile)))
            assert not any(isinstance(one, ConditionFailed) for one in refused)
            await check_households(calm, tidy=False)
            await tidied(Store(calm), clock)
            await check_households(calm)
        finally:
            await hostile.close()
