"""Whoever leaves a group, is removed, or deletes their account takes all they had along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.profiles import remove_managed
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.hangouts.consumers.accounts import AGAIN_SECONDS
from commonroom.hangouts.service.access import open_hangout
from commonroom.hangouts.service.leaving import leave_hangouts
from commonroom.hangouts.service.members import (
    join_writes,
    leave_group,
    read_person,
    remove_member,
)
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    Hangout,
    HangoutPerson,
    HangoutPointer,
    Idea,
    IdeaList,
    InvitationPointer,
    PersonPlace,
    Rsvp,
)
from commonroom.moments import iso
from commonroom.store import Store, create
from tests.accounts.people import Meanwhile, Watch
from tests.hangouts.friends import (
    TABLES,
    check_groups,
    check_hangouts,
    child_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    tidied,
)
from tests.support.hostile_engine import Hostility, hostile_file

GOING = TypedRsvp(status="GOING")


async def goes(store: Store, clock: Watch, who: User, hangout: Hangout, *children: User) -> None:
    """Somebody answers, perhaps with children."""
    typed = TypedRsvp(status="GOING", companion_ids=[one.user_id for one in children])
    await answer(Context(store, who, clock()), who, hangout.hangout_id, typed)


async def answers(store: Store, hangout: Hangout) -> set[str | None]:
    """Who answered, by name."""
    found = await everything_of(store.engine, Rsvp)
    return {one.user_name for one in found if one.hangout_id == hangout.hangout_id}


class TestLeavingAGroup:
    async def test_takes_answers_along_and_whoever_waited_moves_up(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, eve)
        kim = await child_of(store, clock, ben, "Kim")
        made = await hangout_of(store, clock, ada, group, is_on=True, place_limit=3)
        await goes(store, clock, ben, made, kim)
        await goes(store, clock, eve, made)
        assert (await now_of(store, made)).waiting_count == 1
        await leave_group(Context(store, ben, clock()), group.group_id)
        await tidied(store, clock)
        assert await answers(store, made) == {"Ada", "Eve"}
        now = await now_of(store, made)
        assert (now.going_count, now.waiting_count) == (2, 0)
        await check_hangouts(store.engine)
        await check_groups(store.engine)

    async def test_takes_the_answer_of_a_child_along_that_answered_alone(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada, ben)
        kim = await child_of(store, clock, ben, "Kim")
        made = await hangout_of(store, clock, ada, group)
        await answer(Context(store, ben, clock()), kim, made.hangout_id, GOING)
        await leave_group(Context(store, ben, clock()), group.group_id)
        await tidied(store, clock)
        assert await answers(store, made) == {"Ada"}
        await check_hangouts(store.engine)

    async def test_leaves_what_one_has_by_another_group_or_an_invitation(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        others = await group_of(store, clock, ada, ben, name="Others")
        both = await hangout_of(store, clock, ada, friends, others)
        invited = await hangout_of(store, clock, ada, friends, invited_user_ids=[ben.user_id])
        for one in (both, invited):
            await goes(store, clock, ben, one)
        await leave_group(Context(store, ben, clock()), friends.group_id)
        await tidied(store, clock)
        for one in (both, invited):
            assert await answers(store, one) == {"Ada", "Ben"}

    async def test_keeps_what_is_answered_as_a_passer_by_after_it(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, is_public=True)
        made = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
        await leave_group(Context(store, ben, clock()), group.group_id)
        await goes(store, clock, ben, made)
        await tidied(store, clock)
        assert "Ben" in await answers(store, made)
        await check_hangouts(store.engine)

    async def test_ends_where_somebody_has_come_back(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada, ben)
        made = await hangout_of(store, clock, ada, group)
        await goes(store, clock, ben, made)
        ctx = Context(store, ben, clock())
        await leave_group(ctx, group.group_id)

        async def come_back() -> None:
            user, person = await read_person(ctx)
            current = await now_of(store, group)
            await store.write(*join_writes(clock(), current, user, person))

        interrupted = Meanwhile(store, come_back, before_writing=Rsvp)
        await leave_hangouts(interrupted, clock(), group.group_id, ben.user_id)
        assert "Ben" in await answers(store, made)

    async def test_takes_a_public_hangouts_answer_along_too(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, is_public=True)
        made = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
        await goes(store, clock, ben, made)
        clock.now += 1
        await remove_member(Context(store, ada, clock()), group.group_id, ben.user_id)
        await tidied(store, clock)
        assert await answers(store, made) == {"Ada"}

    async def test_leaves_ones_own_hangouts_to_the_others(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ben, friends)
        await goes(store, clock, ada, made)
        await remove_member(Context(store, ada, clock()), friends.group_id, ben.user_id)
        await tidied(store, clock)
        with pytest.raises(NotFound):
            await open_hangout(Context(store, ben, clock()), made.hangout_id)
        access = await open_hangout(Context(store, ada, clock()), made.hangout_id)
        assert access.standing.may_manage
        assert await answers(store, made) == {"Ada"}
        assert await everything_of(store.engine, InvitationPointer) == []
        await check_hangouts(store.engine)

    async def test_ends_ones_interest_in_its_ideas(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        key: dict[str, Any] = {"group_id": friends.group_id, "list_id": "l"}
        made = {"created_by": ada.user_id, "created_at": iso(clock())}
        both = {one.user_id: iso(clock()) for one in (ada, ben)}
        idea = Idea(**key, **made, idea_id="i", name="Peak", interested=both)
        await store.write(
            create(IdeaList(**key, name="Trails", created_by="", created_at="")), create(idea)
        )
        await leave_group(Context(store, ben, clock()), friends.group_id)
        await tidied(store, clock)
        assert set((await now_of(store, idea)).interested) == {ada.user_id}

    async def test_and_coming_back_at_once_leaves_everything_as_it_was(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        await goes(store, clock, ben, made)
        theirs = await store.get(GroupMembership.at(group_id=friends.group_id, user_id=ben.user_id))
        assert theirs is not None
        await leave_group(Context(store, ben, clock()), friends.group_id)
        await store.write(create(theirs))
        await tidied(store, clock)
        assert await answers(store, made) == {"Ada", "Ben"}


class TestDeletingAnAccount:
    async def test_leaves_nothing_of_its_person_and_their_children(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, ben)
        kim = await child_of(store, clock, ben, "Kim")
        theirs = await hangout_of(store, clock, ada, group)
        own = await hangout_of(store, clock, ben, group)
        private = await hangout_of(store, clock, ben, invited_user_ids=[eve.user_id])
        invited = await hangout_of(store, clock, eve, invited_user_ids=[ben.user_id])
        await goes(store, clock, ben, theirs, kim)
        for one in (own, invited):
            await goes(store, clock, ben, one)
        await answer(Context(store, ben, clock()), kim, own.hangout_id, GOING)
        fresh = await now_of(store, ben)
        await delete_account(store, fresh, typed=CONFIRMATION)
        await tidied(store, clock)
        assert {one.user_name for one in await everything_of(store.engine, Rsvp)} == {"Ada", "Eve"}
        assert await store.get(private.ref) is None, "it was for nobody else's group"
        for one in (own, invited):
            assert ben.user_id not in (await now_of(store, one)).invited_user_ids
        people = {one.user_id for one in await everything_of(store.engine, HangoutPerson)}
        assert people == {ada.user_id}
        await check_hangouts(store.engine)
        await check_groups(store.engine)

    async def test_of_a_last_admin_passes_the_group_on_and_of_the_last_member_ends_it(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await group_of(store, clock, ada, name="Alone")
        shared = await group_of(store, clock, ada, ben)
        await delete_account(store, await now_of(store, ada), typed=CONFIRMATION)
        await tidied(store, clock)
        (left,) = await everything_of(store.engine, FriendGroup)
        assert left.group_id == shared.group_id
        (theirs,) = await everything_of(store.engine, GroupMembership)
        assert (theirs.user_id, theirs.role) == (ben.user_id, "ADMIN")
        await check_groups(store.engine)

    async def test_takes_answers_to_public_hangouts_of_other_groups_and_places_along(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        group = await group_of(store, clock, ada, is_public=True)
        made = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
        cleo = await somebody(store, clock, "Cleo")
        await goes(store, clock, cleo, made)
        home = PersonPlace(
            user_id=cleo.user_id,
            place_id="p",
            name="Home",
            created_by=cleo.user_id,
            created_at=iso(clock()),
            updated_at=iso(clock()),
        )
        await store.write(create(home))
        await delete_account(store, await now_of(store, cleo), typed=CONFIRMATION)
        await tidied(store, clock)
        assert await answers(store, made) == {"Ada"}
        assert await everything_of(store.engine, PersonPlace) == []
        await check_hangouts(store.engine)

    async def test_of_a_managed_member_takes_its_answers_along(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        kim = await child_of(store, clock, ben, "Kim")
        made = await hangout_of(store, clock, ada, friends, is_on=True)
        await goes(store, clock, ben, made, kim)
        await remove_managed(store, await now_of(store, ben), kim.user_id)
        await tidied(store, clock)
        assert await answers(store, made) == {"Ada", "Ben"}
        assert (await now_of(store, made)).going_count == 2
        (pointer,) = await everything_of(store.engine, HangoutPointer)
        assert pointer.going_count == 2
        await check_hangouts(store.engine)

    async def test_finds_what_an_index_showed_too_late(self, tmp_path: Path, clock: Watch) -> None:
        slow = Hostility(lag=10_000)
        async with hostile_file(tmp_path, TABLES, seed=1, hostility=slow, clock=clock) as engine:
            store = Store(engine)
            ada, cleo = [await somebody(store, clock, name) for name in ("Ada", "Cleo")]
            group = await group_of(store, clock, ada, is_public=True)
            made = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
            await goes(store, clock, cleo, made)
            await delete_account(store, await now_of(store, cleo), typed=CONFIRMATION)
            await tidied(store, clock)
            assert await answers(store, made) == {"Ada", "Cleo"}, "no index knows of it yet"
            await engine.settle()
            clock.forward(AGAIN_SECONDS + 1)
            await tidied(store, clock)
            assert await answers(store, made) == {"Ada"}
            await check_hangouts(engine.inner)
