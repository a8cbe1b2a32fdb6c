"""Going from a household: leaving, being taken out, being gone."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.profiles import remove_managed
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.invites import InviteExpired, create_invite, join
from commonroom.movienight.service.members import (
    add_managed,
    clear_deleted_members,
    leave,
    list_members,
    remove_member,
)
from commonroom.movienight.tables import Household, HouseholdMembership, Preferences
from commonroom.store import Store, counting, create
from tests.accounts.people import Meanwhile, Watch
from tests.movienight.evenings import (
    check_households,
    context_of,
    everything_of,
    home_of,
    likes,
    now_of,
    somebody,
)
from tests.support.context import at


async def who_is_in(store: Store, group: Household) -> list[str]:
    """The names of a household's members, in the order they came."""
    users = [one.user for one in await list_members(store, group.group_id)]
    return ["gone" if one is None else one.display_name for one in users]


@pytest.fixture
async def full(store: Store, clock: Watch, ada: User, ben: User, eve: User) -> Household:
    """A household of Ada, Ben and Eve, in which everybody has a child; all say what they like."""
    group = await home_of(store, clock, ada, ben, eve)
    for parent in (ada, ben, eve):
        clock.forward(1)
        ctx = await context_of(store, parent)
        name = f"{parent.display_name}’s child"
        child = await add_managed(at(store, clock(), ctx), display_name=name)
        await likes(store, clock, parent)
        await likes(store, clock, parent, child)
    return group


class TestLeave:
    async def test_takes_ones_managed_members_and_what_they_all_like_along(
        self, store: Store, clock: Watch, full: Household, ben: User
    ) -> None:
        with counting() as tally:
            await leave(at(store, clock(), await context_of(store, ben)))

        assert tally.writes == 1
        assert await who_is_in(store, full) == ["Ada", "Eve", "Ada’s child", "Eve’s child"]
        assert len(await everything_of(store.engine, Preferences)) == 4
        left = [one for one in await everything_of(store.engine, User) if not one.household_id]
        assert {one.display_name for one in left} == {"Ben", "Ben’s child"}
        assert (await now_of(store, ben)).managed_count == 1
        assert (await now_of(store, full)).created_by == full.created_by
        await check_households(store.engine)

    async def test_of_the_creator_makes_the_longest_standing_independent_member_creator(
        self, store: Store, clock: Watch, full: Household, ada: User, ben: User
    ) -> None:
        await leave(at(store, clock(), await context_of(store, ada)))

        assert (await now_of(store, full)).created_by == ben.user_id
        assert await who_is_in(store, full) == ["Ben", "Eve", "Ben’s child", "Eve’s child"]
        assert (await context_of(store, ben)).is_creator
        await check_households(store.engine)

    async def test_a_child_is_never_promoted_to_creator(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await home_of(store, clock, ada)
        link = await create_invite(at(store, clock(), await context_of(store, ada)))
        # Only now comes Ben, and with him a child; another one of Ada's was there before him.
        await add_managed(at(store, clock(), await context_of(store, ada)), display_name="Yann")
        clock.forward(1)
        await join(Context(store, ben, clock()), link.token)
        clock.forward(1)
        await add_managed(at(store, clock(), await context_of(store, ben)), display_name="Zoe")

        await leave(at(store, clock(), await context_of(store, ada)))
        assert (await now_of(store, group)).created_by == ben.user_id
        await check_households(store.engine)

        await leave(at(store, clock(), await context_of(store, ben)))
        assert await store.get(group.ref) is None
        await check_households(store.engine)

    async def test_of_the_last_independent_member_deletes_the_household(
        self, store: Store, clock: Watch, full: Household
    ) -> None:
        everybody = [one.user for one in await list_members(store, full.group_id)]
        for person in everybody:
            if person is not None and not person.is_managed:
                await leave(at(store, clock(), await context_of(store, person)))

        for kind in (Household, HouseholdMembership, Preferences):
            assert await everything_of(store.engine, kind) == []
        assert not any(one.household_id for one in await everything_of(store.engine, User))

    async def test_is_nothing_for_a_managed_member(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        with pytest.raises(Forbidden):
            await leave(at(store, clock(), await context_of(store, ben, zoe)))
        await check_households(store.engine)

    async def test_happens_only_once(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        ctx = await context_of(store, ben)
        await leave(at(store, clock(), ctx))

        with pytest.raises(NotFound):
            await leave(at(store, clock(), ctx))
        await check_households(store.engine)

    async def test_lets_one_come_back(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        await leave(at(store, clock(), await context_of(store, ben)))
        link = await create_invite(at(store, clock(), await context_of(store, ada)))

        await join(Context(store, ben, clock()), link.token)

        assert await who_is_in(store, home) == ["Ada", "Ben"]
        await check_households(store.engine)

    async def test_begins_anew_where_somebody_comes_meanwhile(
        self, store: Store, clock: Watch, home: Household, ada: User, eve: User
    ) -> None:
        clock.forward(1)
        ctx = await context_of(store, ada)
        link = await create_invite(at(store, clock(), ctx))
        slow = Meanwhile(
            store, lambda: join(Context(store, eve, clock()), link.token), before_writing=Household
        )

        await leave(at(slow, clock(), ctx))

        assert await who_is_in(store, home) == ["Ben", "Eve"]
        await check_households(store.engine)

    async def test_hands_over_to_nobody_whose_account_is_deleted_meanwhile(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await home_of(store, clock, ada, ben, eve)
        heir = await now_of(store, ben)
        slow = Meanwhile(
            store, lambda: delete_account(store, heir, typed=CONFIRMATION), before_writing=Household
        )

        await leave(at(slow, clock(), await context_of(store, ada)))

        assert (await now_of(store, group)).created_by == eve.user_id
        await check_households(store.engine)


class TestRemoveMember:
    async def test_takes_a_managed_member_out_for_its_parent_or_the_creator(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        yann = await add_managed(
            at(store, clock(), await context_of(store, ben)), display_name="Yann"
        )
        await likes(store, clock, ben, zoe)

        await remove_member(at(store, clock(), await context_of(store, ben)), zoe.user_id)
        await remove_member(at(store, clock(), await context_of(store, ada)), yann.user_id)

        for child in (zoe, yann):
            assert (await now_of(store, child)).household_id is None
        assert await everything_of(store.engine, Preferences) == []
        await check_households(store.engine)

    async def test_leaves_a_managed_members_profile_with_its_parent(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        await remove_member(at(store, clock(), await context_of(store, ada)), zoe.user_id)

        assert (await now_of(store, zoe)).parent_user_id == ben.user_id
        assert (await now_of(store, ben)).managed_count == 1

    async def test_takes_an_independent_member_and_theirs_out_for_the_creator(
        self, store: Store, clock: Watch, full: Household, ada: User, ben: User
    ) -> None:
        await remove_member(at(store, clock(), await context_of(store, ada)), ben.user_id)

        assert await who_is_in(store, full) == ["Ada", "Eve", "Ada’s child", "Eve’s child"]
        await check_households(store.engine)

    async def test_is_nothing_for_others(
        self, store: Store, clock: Watch, full: Household, ben: User, eve: User
    ) -> None:
        members = await list_members(store, full.group_id)
        children = {one.user.display_name: one.user for one in members if one.user}
        theirs, own = children["Ben’s child"], children["Eve’s child"]

        for whom in (ben.user_id, full.created_by, theirs.user_id):
            with pytest.raises(Forbidden):
                await remove_member(at(store, clock(), await context_of(store, eve)), whom)
        for whom in (own.user_id, eve.user_id, theirs.user_id):
            with pytest.raises(Forbidden):
                await remove_member(at(store, clock(), await context_of(store, eve, own)), whom)
        assert await list_members(store, full.group_id) == members

    async def test_of_oneself_is_leaving(
        self, store: Store, clock: Watch, full: Household, ada: User, ben: User
    ) -> None:
        await remove_member(at(store, clock(), await context_of(store, ada)), ada.user_id)

        assert (await now_of(store, full)).created_by == ben.user_id
        await check_households(store.engine)

    @pytest.mark.parametrize("odd", ["", "nobody", "x" * 5000, "\ud800"])
    async def test_takes_nobody_out_who_is_not_in_the_household(
        self, store: Store, clock: Watch, home: Household, ada: User, odd: str
    ) -> None:
        elsewhere = await somebody(store, clock, "Eve")
        await home_of(store, clock, elsewhere)

        for whom in (odd, elsewhere.user_id):
            with pytest.raises(NotFound):
                await remove_member(at(store, clock(), await context_of(store, ada)), whom)
        await check_households(store.engine)

    async def test_is_nothing_for_somebody_who_is_no_longer_creator(
        self, store: Store, clock: Watch, full: Household, ada: User, eve: User
    ) -> None:
        ctx = await context_of(store, ada)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=Household)

        with pytest.raises(Forbidden):
            await remove_member(at(slow, clock(), ctx), eve.user_id)
        assert "Eve" in await who_is_in(store, full)
        await check_households(store.engine)

    async def test_leaves_somebody_alone_who_came_again_with_another_household_meanwhile(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        async def comes_again() -> None:
            # An OpenID provider gives the same person the same id again.
            await delete_account(store, await now_of(store, ben), typed=CONFIRMATION)
            await store.write(create(ben))
            await create_household(Context(store, ben, clock()), name="Another")

        slow = Meanwhile(store, comes_again, before_writing=Household)

        await remove_member(at(slow, clock(), await context_of(store, ada)), ben.user_id)

        assert await who_is_in(store, home) == ["Ada"]
        assert (await context_of(store, ben)).group.name == "Another"
        await check_households(store.engine)


class TestForget:
    async def test_clears_the_seats_of_deleted_accounts_and_of_their_managed_members(
        self, store: Store, clock: Watch, full: Household, ben: User
    ) -> None:
        await delete_account(store, await now_of(store, ben), typed=CONFIRMATION)

        await clear_deleted_members(store, clock(), full.group_id)

        assert await who_is_in(store, full) == ["Ada", "Eve", "Ada’s child", "Eve’s child"]
        assert len(await everything_of(store.engine, Preferences)) == 4
        await check_households(store.engine)

    async def test_hands_a_deleted_creators_household_over(
        self, store: Store, clock: Watch, full: Household, ada: User, ben: User
    ) -> None:
        await delete_account(store, await now_of(store, ada), typed=CONFIRMATION)

        await clear_deleted_members(store, clock(), full.group_id)

        assert (await now_of(store, full)).created_by == ben.user_id
        await check_households(store.engine)

    async def test_deletes_a_household_of_which_nobody_is_left(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        group = await home_of(store, clock, ada)
        await add_managed(at(store, clock(), await context_of(store, ada)), display_name="Yann")
        await delete_account(store, await now_of(store, ada), typed=CONFIRMATION)

        await clear_deleted_members(store, clock(), group.group_id)

        for kind in (Household, HouseholdMembership, User):
            assert await everything_of(store.engine, kind) == []

    async def test_clears_the_seat_of_a_deleted_managed_member(
        self, store: Store, clock: Watch, home: Household, ben: User, zoe: User
    ) -> None:
        await likes(store, clock, ben, zoe)
        await remove_managed(store, ben, zoe.user_id)

        await clear_deleted_members(store, clock(), home.group_id)

        assert await who_is_in(store, home) == ["Ada", "Ben"]
        await check_households(store.engine)

    async def test_again_changes_nothing(
        self, store: Store, clock: Watch, full: Household, ben: User
    ) -> None:
        await delete_account(store, await now_of(store, ben), typed=CONFIRMATION)
        await clear_deleted_members(store, clock(), full.group_id)
        before = await now_of(store, full)

        with counting() as tally:
            await clear_deleted_members(store, clock(), full.group_id)

        assert await now_of(store, full) == before
        assert tally.writes == 0

    async def test_is_nothing_where_the_household_was_deleted(
        self, store: Store, clock: Watch
    ) -> None:
        with counting() as tally:
            await clear_deleted_members(store, clock(), "nowhere")

        assert tally.writes == 0


class TestTheWayBack:
    async def test_ends_with_the_removal_of_somebody_with_a_login(
        self, store: Store, clock: Watch, full: Household, ada: User, ben: User
    ) -> None:
        creator = at(store, clock(), await context_of(store, ada))
        links = [await create_invite(creator) for _ in range(2)]
        with counting() as tally:
            ended = await remove_member(
                at(store, clock(), await context_of(store, ada)), ben.user_id
            )
        # One more was made for those who came first.
        assert (ended, tally.writes) == (3, 1)
        for link in links:
            with pytest.raises(InviteExpired):
                await join(Context(store, await now_of(store, ben), clock()), link.token)
        assert await who_is_in(store, full) == ["Ada", "Eve", "Ada’s child", "Eve’s child"]
        await check_households(store.engine)

    async def test_ends_also_where_a_link_is_made_in_that_moment(
        self, store: Store, clock: Watch, full: Household, ada: User, ben: User
    ) -> None:
        made = []

        async def make_a_link() -> None:
            made.append(await create_invite(at(store, clock(), await context_of(store, ada))))

        meanwhile = Meanwhile(store, make_a_link, before_writing=HouseholdMembership)
        ctx = at(meanwhile, clock(), await context_of(store, ada))
        await remove_member(ctx, ben.user_id)
        [link] = made
        with pytest.raises(InviteExpired):
            await join(Context(store, await now_of(store, ben), clock()), link.token)

    async def test_stays_open_where_a_child_is_removed_or_somebody_leaves(
        self, store: Store, clock: Watch, full: Household, ada: User, eve: User
    ) -> None:
        link = await create_invite(at(store, clock(), await context_of(store, ada)))
        child = next(
            one
            for one in await everything_of(store.engine, User)
            if one.display_name == "Ada’s child"
        )
        ctx = at(store, clock(), await context_of(store, ada))
        assert await remove_member(ctx, child.user_id) == 0
        await leave(at(store, clock(), await context_of(store, eve)))
        await join(Context(store, await now_of(store, eve), clock()), link.token)
