"""Everybody's agenda has what they are invited to, wherever hangouts, groups and people go."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.consumers.agenda import AGENDA, OVER_SECONDS, PEOPLE, follow_change
from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.rules.agenda import SERIES_DAYS
from commonroom.hangouts.service.edits import change_hangout, invite, uninvite
from commonroom.hangouts.service.hangouts import bring_back, cancel, delete_hangout
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.poll_closing import close_poll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.tables import FriendGroup, Hangout, Repetition
from commonroom.store import Store, delete
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.store.streams.worker import SWEEP_SECONDS
from commonroom.timers.scheduler import WAITING_BY_BUCKET
from tests.accounts.people import Watch
from tests.hangouts.agendas import agenda_of, check_agendas, settle
from tests.hangouts.checks.example import drift
from tests.hangouts.friends import (
    DAY,
    HOUR,
    child_of,
    crowd_of,
    group_of,
    hangout_of,
    now_of,
    starts_in,
)
from tests.hangouts.voting import Voting


@pytest.fixture
def store(either: Store, clock: Watch) -> Store:
    clock.now = time.time()
    return either


async def titles(store: Store, who: User) -> list[str]:
    """What stands on somebody's agenda."""
    found = [
        await store.get(Hangout.at(hangout_id=one.hangout_id))
        for one in await agenda_of(store, who)
    ]
    return [one.title for one in found if one is not None]


class TestHangouts:
    async def test_members_and_invited_people_have_it_and_its_maker_has_answered(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        day = starts_in(clock, 3 * DAY)
        made = await hangout_of(
            store, clock, ada, friends, time=day, invited_user_ids=[eve.user_id]
        )
        await settle(store, clock)
        mine, bens, eves = [(await agenda_of(store, one))[0] for one in (ada, ben, eve)]
        assert {one.start_timestamp for one in (mine, bens, eves)} == {made.start_timestamp}
        assert [one.is_unanswered for one in (mine, bens, eves)] == [False, True, True]

    async def test_what_has_no_day_comes_behind_all_days_with_the_newest_first(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        await hangout_of(store, clock, ada, friends, title="Old idea")
        clock.forward(60)
        await hangout_of(store, clock, ada, friends, title="New idea")
        await hangout_of(store, clock, ada, friends, title="Day", time=starts_in(clock, 300 * DAY))
        await settle(store, clock)
        assert await titles(store, ben) == ["Day", "New idea", "Old idea"]

    async def test_it_follows_a_hangout_that_moves_and_leaves_when_that_is_cancelled(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        await settle(store, clock)
        ctx = Context(store, ada, clock())
        later = {"time": starts_in(clock, 5 * DAY)}
        moved = await change_hangout(ctx, made.hangout_id, later, version=1)
        await settle(store, clock)
        assert [one.start_timestamp for one in await agenda_of(store, ben)] == [
            moved.start_timestamp
        ]
        await cancel(ctx, made.hangout_id)
        await settle(store, clock)
        assert await agenda_of(store, ben) == []
        await bring_back(ctx, made.hangout_id)
        await settle(store, clock)
        assert len(await agenda_of(store, ben)) == 1

    async def test_it_goes_with_its_hangout_and_with_the_groups_and_people_that_lose_it(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        club = await group_of(store, clock, ada, eve, name="Club")
        made = await hangout_of(store, clock, ada, friends, club)
        other = await hangout_of(store, clock, ada)
        ctx = Context(store, ada, clock())
        await invite(ctx, other.hangout_id, ben.email or "")
        await settle(store, clock)
        assert len(await agenda_of(store, ben)) == 2
        await change_hangout(ctx, made.hangout_id, {"group_ids": [club.group_id]}, version=1)
        await uninvite(ctx, other.hangout_id, ben.user_id)
        await settle(store, clock)
        assert await agenda_of(store, ben) == []
        await delete_hangout(ctx, made.hangout_id)
        await settle(store, clock)
        assert await agenda_of(store, eve) == []

    async def test_what_is_over_leaves_agendas_by_itself(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        await hangout_of(store, clock, ada, friends, time=starts_in(clock, HOUR))
        await settle(store, clock)
        await settle(store, clock, 5 * HOUR)
        assert await agenda_of(store, ada) == await agenda_of(store, ben) == []

    async def test_dates_of_a_series_come_on_agendas_three_weeks_before(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        weekly = Repetition(frequency="WEEKLY", times=6)
        day = starts_in(clock, DAY)
        await hangout_of(store, clock, ada, friends, time=day, repetition=weekly)
        await settle(store, clock)
        assert len(await agenda_of(store, ben)) == SERIES_DAYS // 7
        await settle(store, clock, 7 * DAY)
        assert len(await agenda_of(store, ben)) == SERIES_DAYS // 7


class TestPeople:
    async def test_who_joins_a_group_has_what_comes_up_there_and_who_leaves_has_it_no_more(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        await hangout_of(store, clock, ada, friends, title="Idea")
        await hangout_of(store, clock, ada, friends, title="Day", time=starts_in(clock, DAY))
        await settle(store, clock)
        code = await create_code(Context(store, ada, clock()), friends.group_id)
        await join(Context(store, eve, clock()), code.code)
        await settle(store, clock)
        assert await titles(store, eve) == ["Day", "Idea"]
        await leave_group(Context(store, eve, clock()), friends.group_id)
        await settle(store, clock)
        assert await agenda_of(store, eve) == []

    async def test_who_is_in_two_of_its_groups_keeps_it_when_they_leave_one(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        groups = [await group_of(store, clock, ada, ben, name=name) for name in "AB"]
        await hangout_of(store, clock, ada, *groups)
        await settle(store, clock)
        for group, left in zip(groups, (1, 0), strict=True):
            await leave_group(Context(store, ben, clock()), group.group_id)
            await settle(store, clock)
            assert len(await agenda_of(store, ben)) == left

    async def test_a_deleted_account_leaves_no_agenda(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        await hangout_of(store, clock, ada, friends)
        await settle(store, clock)
        await store.write(delete(ben))
        await settle(store, clock)
        assert await agenda_of(store, ben) == []


class TestAnswers:
    async def test_an_answer_is_noted_and_so_is_that_it_was_taken_back(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        made = await hangout_of(store, clock, ada, friends)
        ctx = Context(store, ben, clock())
        await answer(ctx, ben, made.hangout_id, TypedRsvp(status="NOT_GOING"))
        await settle(store, clock)
        assert [one.is_unanswered for one in await agenda_of(store, ben)] == [False]
        await withdraw(ctx, ben, made.hangout_id)
        await settle(store, clock)
        assert [one.is_unanswered for one in await agenda_of(store, ben)] == [True]

    async def test_a_child_has_no_agenda_of_its_own(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        kim = await child_of(store, clock, ben, "Kim")
        made = await hangout_of(store, clock, ada, friends)
        ctx = Context(store, ben, clock())
        await answer(ctx, kim, made.hangout_id, TypedRsvp(status="GOING"))
        await settle(store, clock)
        assert await agenda_of(store, kim) == []
        assert [one.is_unanswered for one in await agenda_of(store, ben)] == [True]

    async def test_polls_are_on_it_until_somebody_has_voted_or_they_are_closed(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        made = await hangout_of(store, clock, ada, friends)
        voting = Voting(store, clock, made)
        days = await voting.days(ada)
        drinks = await voting.question(ada, "Tea", "Coffee")
        await voting.vote(ben, days, "yny")
        await settle(store, clock)
        assert [one.poll_ids for one in await agenda_of(store, ben)] == [[drinks.poll_id]]
        ctx = Context(store, ada, clock())
        await close_poll(ctx, drinks.ref, undecided=True)
        await settle(store, clock)
        assert [one.poll_ids for one in await agenda_of(store, ben)] == [[]]
        assert (await now_of(store, made)).open_polls == {days.poll_id: "TIME"}
        assert [one.poll_ids for one in await agenda_of(store, ada)] == [[days.poll_id]]

    async def test_whoever_moves_up_has_a_place_noted_until_they_answer_again(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        made = await hangout_of(
            store, clock, ada, friends, time=starts_in(clock, DAY), is_on=True, place_limit=1
        )
        await answer(Context(store, ben, clock()), ben, made.hangout_id, TypedRsvp(status="GOING"))
        await settle(store, clock)
        clock.forward(HOUR)
        declined = TypedRsvp(status="NOT_GOING")
        await answer(Context(store, ada, clock()), ada, made.hangout_id, declined)
        await settle(store, clock)
        assert [one.moved_up is not None for one in await agenda_of(store, ben)] == [True]
        clock.forward(HOUR)
        await answer(Context(store, ben, clock()), ben, made.hangout_id, TypedRsvp(status="GOING"))
        await settle(store, clock)
        assert [one.moved_up for one in await agenda_of(store, ben)] == [None]


class TestOrder:
    async def test_an_old_change_that_comes_late_overwrites_nothing(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        later = {"time": starts_in(clock, 5 * DAY)}
        ctx = Context(store, ada, clock())
        await change_hangout(ctx, made.hangout_id, later, version=1)
        await settle(store, clock)
        late = Change(Hangout, "insert", (), None, made, clock(), by_ttl=False)
        await follow_change(store, late)
        await settle(store, clock)

    async def test_a_change_of_a_hangout_that_is_gone_brings_nothing_back(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        made = await hangout_of(store, clock, ada, friends)
        await delete_hangout(Context(store, ada, clock()), made.hangout_id)
        await settle(store, clock)
        late = Change(Hangout, "insert", (), None, made, clock(), by_ttl=False)
        await follow_change(store, late)
        await settle(store, clock)
        assert await agenda_of(store, ben) == []


class TestInAFile:
    @pytest.fixture
    def store(self, embedded: Store) -> Store:
        return embedded

    async def test_hundreds_of_members_have_it_and_no_timer_stays_behind(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        people = await crowd_of(store, clock, friends, 230)
        made = await hangout_of(store, clock, ada, friends)
        await settle(store, clock)
        assert [len(await agenda_of(store, one)) for one in people] == [1] * 230
        await delete_hangout(Context(store, ada, clock()), made.hangout_id)
        await settle(store, clock)
        waiting = (await store.merged(WAITING_BY_BUCKET, limit=1000)).items
        assert PEOPLE not in {one.kind for one in waiting}

    async def test_a_hangout_that_moves_leaves_no_timers_of_other_days_behind(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        for turn in range(3):
            await settle(store, clock)
            later = {"time": starts_in(clock, (2 + turn) * DAY)}
            ctx = Context(store, ada, clock())
            made = await change_hangout(ctx, made.hangout_id, later, version=made.version)
        await settle(store, clock)
        waiting = (await store.merged(WAITING_BY_BUCKET, limit=100)).items
        ends = {one.moment for one in waiting if one.kind == PEOPLE}
        assert ends == {(made.end_timestamp or 0) + OVER_SECONDS}

    async def test_what_was_there_before_comes_on_agendas_with_a_new_version(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        clock.now = time.time() - 2 * HOUR
        await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        earlier = [one for one in HANGOUTS.data.consumers if one.name != AGENDA.name]
        await Worker(store, earlier, clock=clock).drain()
        # Changes are kept until every consumer has seen them, and this one was not known.
        await store.engine.sweep(1000)
        clock.now = time.time()

        async def repair(store: Store, _: Sequence[Consumer]) -> None:
            await drift(store, repair=True)

        worker = Worker(store, HANGOUTS.data.consumers, clock=clock, repair=repair)
        await worker.drain()
        clock.forward(SWEEP_SECONDS + 1)
        await worker._sweep()
        assert worker._repairing is not None
        await worker._repairing
        await check_agendas(store.engine, clock())
        assert len(await agenda_of(store, ada)) == 1
