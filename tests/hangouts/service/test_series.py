"""Hangouts that repeat: made up to a year ahead, and changed from one on."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound, RateLimited
from commonroom.hangouts.joins.calendar import calendar_entries
from commonroom.hangouts.service.edits import StaleVersion, change_hangout
from commonroom.hangouts.service.hangouts import cancel, delete_hangout
from commonroom.hangouts.service.occurrences import SERIES_OF_PERSON
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.series import change_following, set_repetition, upcoming_dates
from commonroom.hangouts.tables import (
    EnteredTime,
    FriendGroup,
    Hangout,
    Repetition,
    Rsvp,
    Series,
    SeriesPointer,
)
from commonroom.http.calendars import calendar_file
from commonroom.store import Store
from commonroom.store.store import counting
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    HOUR,
    PUB,
    check_hangouts,
    everything_of,
    group_of,
    hangout_of,
    starts_in,
    tidied,
    told,
)

BERLIN = ZoneInfo("Europe/Berlin")
WEEKLY = Repetition(frequency="WEEKLY")
THREE_TIMES = Repetition(frequency="WEEKLY", times=3)


async def weekly(
    store: Store, clock: Watch, maker: User, group: FriendGroup, repeats: Repetition = THREE_TIMES,
    **given: Any,
) -> list[Hangout]:  # fmt: skip
    """A series from tomorrow on, as it is once its hangouts are made."""
    fields = {"time": starts_in(clock, DAY), "is_on": True, "title": "Games", **given}
    await hangout_of(store, clock, maker, group, repetition=repeats, **fields)
    return await in_order(store, clock)


async def in_order(store: Store, clock: Watch) -> list[Hangout]:
    """All hangouts that there are after a while, by their dates."""
    await tidied(store, clock)
    clock.forward(2)
    await settled(store, clock)
    await check_hangouts(store.engine)
    found = await everything_of(store.engine, Hangout)
    return sorted(found, key=lambda one: one.occurrence or "")


async def settled(store: Store, clock: Watch) -> None:
    """Lets a second pass for as long as a series has something to do."""
    for _ in range(40):
        before = clock()
        await tidied(store, clock)
        series = await everything_of(store.engine, Series)
        made = await everything_of(store.engine, SeriesPointer)
        clock.forward(1)
        await tidied(store, clock)
        after = await everything_of(store.engine, SeriesPointer)
        if len(made) == len(after) and not any(one.pending for one in series):
            return
        assert clock() > before


def days_of(hangouts: list[Hangout]) -> list[date]:
    return [datetime.fromtimestamp(one.start_timestamp or 0, BERLIN).date() for one in hangouts]


class TestMaking:
    @pytest.fixture
    def store(self, either: Store, clock: Watch) -> Store:
        clock.now = float(int(time.time()))
        return either

    async def test_all_of_them_are_made_each_with_its_makers_answer_and_pointers(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends, place=PUB, place_limit=5)
        days = days_of(made)
        assert [one - days[0] for one in days] == [timedelta(weeks=n) for n in range(3)]
        assert {(one.title, one.place, one.place_limit, one.momentum) for one in made} == {
            ("Games", PUB, 5, "CONFIRMED")
        }
        assert len(await everything_of(store.engine, Rsvp)) == 3
        assert [one.going_count for one in made] == [1, 1, 1]

    async def test_doing_it_all_again_makes_nothing_more(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends)
        clock.forward(400 * DAY)
        assert await in_order(store, clock) == made


async def test_a_year_ahead_and_the_next_ones_as_time_goes_by(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    made = await weekly(store, clock, ada, friends, WEEKLY)
    assert len(made) == 53
    clock.forward(21 * DAY)
    assert len(await in_order(store, clock)) == 56


async def test_every_one_is_at_the_same_time_whatever_the_clocks_do(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    clock.now = datetime(2026, 9, 1, tzinfo=BERLIN).timestamp()
    first = datetime(2026, 9, 3, 19, 30, tzinfo=BERLIN)
    when = EnteredTime(start_time=first.isoformat(), time_zone="Europe/Berlin")
    made = await weekly(store, clock, ada, friends, WEEKLY, time=when)
    starts = [datetime.fromtimestamp(one.start_timestamp or 0, BERLIN) for one in made]
    assert {f"{one:%H:%M}" for one in starts} == {"19:30"}
    assert len({one.utcoffset() for one in starts}) == 2
    written = calendar_file(await calendar_entries(store, ada, clock()), "https://example.org")
    read = Calendar.from_ical(written).walk("VEVENT")
    assert [one.decoded("dtstart") for one in read] == starts
    assert len({str(one["uid"]) for one in read}) == len(made)


async def test_nobody_but_of_the_first_is_told_that_it_is_new(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    await weekly(store, clock, ada, friends)
    assert await told(store, ben) == ["hangout_new"]


async def test_what_has_no_day_cannot_repeat(store: Store, clock: Watch, ada: User) -> None:
    with pytest.raises(InvalidField):
        await hangout_of(store, clock, ada, repetition=WEEKLY)


async def test_only_so_many_a_day(store: Store, clock: Watch, ada: User) -> None:
    for _ in range(SERIES_OF_PERSON.tries):
        await hangout_of(store, clock, ada, repetition=WEEKLY, time=starts_in(clock, DAY))
    with pytest.raises(RateLimited):
        await hangout_of(store, clock, ada, repetition=WEEKLY, time=starts_in(clock, DAY))


async def test_it_ends_with_its_makers_account_and_where_they_left_its_group(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    made = await hangout_of(
        store, clock, ada, friends, repetition=WEEKLY, time=starts_in(clock, DAY)
    )
    await delete_account(store, ada, typed=CONFIRMATION)
    await tidied(store, clock)
    assert [one.hangout_id for one in await everything_of(store.engine, Hangout)] == [
        made.hangout_id
    ]


class TestOne:
    async def test_one_can_be_moved_or_cancelled_and_the_others_stay(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        _, second, third = await weekly(store, clock, ada, friends)
        ctx = Context(store, ada, clock())
        moved = {"time": starts_in(clock, 9 * DAY)}
        await change_hangout(ctx, second.hangout_id, moved, version=1)
        await cancel(ctx, third.hangout_id)
        now = await in_order(store, clock)
        assert [one.cancelled_at is not None for one in now] == [False, False, True]
        assert [one.occurrence for one in now][1] == second.occurrence
        assert now[1].start_timestamp != second.start_timestamp

    async def test_one_that_was_deleted_does_not_come_back(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends, WEEKLY)
        await delete_hangout(Context(store, ada, clock()), made[4].hangout_id)
        clock.forward(14 * DAY)
        assert made[4].hangout_id not in {one.hangout_id for one in await in_order(store, clock)}

    async def test_the_last_takes_its_series_along(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        for one in await weekly(store, clock, ada, friends):
            await delete_hangout(Context(store, ada, clock()), one.hangout_id)
        await tidied(store, clock)
        assert await everything_of(store.engine, Series) == []


class TestAllFollowing:
    async def test_from_one_on_they_change_and_earlier_ones_do_not(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends, WEEKLY)
        later = made[2]
        await change_following(
            Context(store, ben, clock()),
            later.hangout_id,
            {"title": "Chess", "place": PUB},
            version=1,
        )
        now = await in_order(store, clock)
        assert [one.title for one in now] == ["Games"] * 2 + ["Chess"] * 51
        assert [one.place for one in now] == [None] * 2 + [PUB] * 51
        clock.forward(30 * DAY)
        assert (await in_order(store, clock))[-1].title == "Chess", "also those made later"

    async def test_another_day_and_time_moves_all_of_them(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends, Repetition(frequency="WEEKLY", times=5))
        second = made[1]
        later = starts_in(clock, (second.start_timestamp or 0) + DAY + HOUR - clock())
        ctx = Context(store, ada, clock())
        await change_following(ctx, second.hangout_id, {"time": later}, version=1)
        now = await in_order(store, clock)
        moved = [
            (new.start_timestamp or 0) - (old.start_timestamp or 0)
            for new, old in zip(now, made, strict=True)
        ]
        assert moved == [0] + [DAY + HOUR] * 4
        assert [one.occurrence for one in now] == [one.occurrence for one in made]

    async def test_what_was_changed_by_hand_stays_so(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        first, second, third = await weekly(store, clock, ada, friends)
        ctx = Context(store, ada, clock())
        await change_hangout(ctx, second.hangout_id, {"title": "Special"}, version=1)
        await change_following(
            ctx, first.hangout_id, {"title": "Chess", "description": "Bring a clock"}, version=1
        )
        now = await in_order(store, clock)
        assert [one.title for one in now] == ["Chess", "Special", "Chess"]
        assert {one.description for one in now} == {"Bring a clock"}
        assert third.version == 1

    async def test_one_that_says_again_what_the_others_say_changes_alone(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        _, second, _ = await weekly(store, clock, ada, friends)
        ctx = Context(store, ada, clock())
        await change_hangout(ctx, second.hangout_id, {"title": "Special"}, version=1)
        await change_following(ctx, second.hangout_id, {"title": "Games"}, version=2)
        assert [one.title for one in await in_order(store, clock)] == ["Games"] * 3

    async def test_people_who_come_are_told_once_and_not_of_each(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends)
        for one in made[1:]:
            going = TypedRsvp(status="GOING")
            await answer(Context(store, ben, clock()), ben, one.hangout_id, going)
        ctx = Context(store, ada, clock())
        await change_following(ctx, made[0].hangout_id, {"place": PUB}, version=1)
        await in_order(store, clock)
        clock.forward(60)
        await tidied(store, clock)
        assert await told(store, ben) == ["hangout_changed", "hangout_new"]

    async def test_a_second_change_waits_for_the_first(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        first, *_ = await weekly(store, clock, ada, friends)
        ctx = Context(store, ada, clock())
        await change_following(ctx, first.hangout_id, {"title": "Chess"}, version=1)
        with pytest.raises(Conflict):
            await change_following(ctx, first.hangout_id, {"title": "Go"}, version=2)
        await in_order(store, clock)
        await change_following(ctx, first.hangout_id, {"title": "Go"}, version=2)
        assert {one.title for one in await in_order(store, clock)} == {"Go"}

    async def test_whoever_looked_at_another_version_is_refused(
        self, store: Store, clock: Watch, ada: User, eve: User, friends: FriendGroup
    ) -> None:
        first, *_ = await weekly(store, clock, ada, friends)
        ctx = Context(store, ada, clock())
        with pytest.raises(StaleVersion):
            await change_following(ctx, first.hangout_id, {"title": "Chess"}, version=9)
        with pytest.raises(InvalidField):
            await change_following(ctx, first.hangout_id, {"group_ids": []}, version=1)
        with pytest.raises(InvalidField):
            await change_following(ctx, first.hangout_id, {"time": None}, version=1)
        with pytest.raises(NotFound):
            await change_following(
                Context(store, eve, clock()), first.hangout_id, {"title": "Mine"}, version=1
            )

    async def test_one_that_belongs_to_others_by_now_is_left_alone(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        club = await group_of(store, clock, ada, name="Club")
        first, second, _ = await weekly(store, clock, ada, friends)
        groups = {"group_ids": [club.group_id]}
        await change_hangout(Context(store, ada, clock()), second.hangout_id, groups, version=1)
        theirs = Context(store, ben, clock())
        await change_following(theirs, first.hangout_id, {"title": "Chess"}, version=1)
        now = await in_order(store, clock)
        assert [one.title for one in now] == ["Chess", "Games", "Chess"]


class TestRule:
    async def test_a_hangout_that_is_there_can_begin_to_repeat(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        await set_repetition(Context(store, ada, clock()), made.hangout_id, THREE_TIMES)
        now = await in_order(store, clock)
        assert len(now) == 3
        assert now[0].hangout_id == made.hangout_id

    async def test_it_ends_after_one_and_what_people_answered_is_cancelled(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends, WEEKLY)
        going = TypedRsvp(status="GOING")
        await answer(Context(store, ben, clock()), ben, made[5].hangout_id, going)
        ctx = Context(store, ada, clock())
        await set_repetition(ctx, made[2].hangout_id, None)
        now = await in_order(store, clock)
        assert [one.occurrence for one in now] == [made[n].occurrence for n in (0, 1, 2, 5)]
        assert [one.cancelled_at is not None for one in now] == [False, False, False, True]
        clock.forward(60 * DAY)
        assert len(await in_order(store, clock)) == 4

    async def test_another_rule_counts_from_there_and_keeps_what_fits(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await weekly(store, clock, ada, friends, Repetition(frequency="WEEKLY", times=8))
        every_other = Repetition(frequency="EVERY_OTHER_WEEK", times=4)
        ctx = Context(store, ada, clock())
        await set_repetition(ctx, made[1].hangout_id, every_other)
        now = await in_order(store, clock)
        assert [one.hangout_id for one in now] == [made[n].hangout_id for n in (0, 1, 3, 5, 7)]

    async def test_a_later_end_goes_on(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        day = (datetime.fromtimestamp(clock(), BERLIN) + timedelta(days=15)).date()
        until = Repetition(frequency="WEEKLY", until=day.isoformat())
        made = await weekly(store, clock, ada, friends, until)
        assert len(made) == 3
        longer = Repetition(frequency="WEEKLY", until=(day + timedelta(days=14)).isoformat())
        ctx = Context(store, ada, clock())
        await set_repetition(ctx, made[1].hangout_id, longer)
        assert len(await in_order(store, clock)) == 5

    async def test_only_whoever_manages_it_may_change_its_rule(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        first, *_ = await weekly(store, clock, ada, friends)
        with pytest.raises(Forbidden):
            await set_repetition(Context(store, ben, clock()), first.hangout_id, None)
        alone = await hangout_of(store, clock, ada, friends)
        with pytest.raises(Conflict):
            await set_repetition(Context(store, ada, clock()), alone.hangout_id, None)


async def test_its_dates_are_one_request(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    made = await weekly(store, clock, ada, friends, WEEKLY)
    ctx = Context(store, ada, clock())
    with counting() as counted:
        found = await upcoming_dates(ctx, made[0])
    assert counted.reads == 1
    assert [one.hangout_id for one in found] == [one.hangout_id for one in made]
