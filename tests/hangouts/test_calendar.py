"""A person's hangouts in their calendar, read back as calendar programs read them."""

from __future__ import annotations

import time
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.joins.calendar import calendar_entries
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import bring_back, cancel
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import EnteredTime, FriendGroup, Period
from commonroom.http.calendars import calendar_file
from commonroom.store import Store
from commonroom.store.store import counting
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, PUB, crowd_of, group_of, hangout_of, starts_in

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def store(either: Store, clock: Watch) -> Store:
    clock.now = float(int(time.time()))
    return either


async def events_of(store: Store, clock: Watch, person: User) -> list[Any]:
    """A person's calendar, parsed."""
    entries = await calendar_entries(store, person, clock())
    written = calendar_file(entries, "https://example.org", name="Ada")
    return list(Calendar.from_ical(written).walk("VEVENT"))


async def titles_of(store: Store, clock: Watch, person: User) -> list[str]:
    return [str(one["summary"]) for one in await events_of(store, clock, person)]


def part_of_day(period: Period, start: datetime) -> EnteredTime:
    return EnteredTime(period=period, period_start=start.isoformat(), time_zone="Europe/Berlin")


async def test_thirty_days_back_and_everything_ahead_without_what_floats(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    clock.forward(-40 * DAY)
    for away, title in ((5, "Long ago"), (20, "Lately"), (90, "Ahead"), (400, "Next year")):
        await hangout_of(store, clock, ada, friends, title=title, time=starts_in(clock, away * DAY))
    await hangout_of(store, clock, ada, friends, title="Floating")
    clock.forward(40 * DAY)
    assert await titles_of(store, clock, ada) == ["Lately", "Ahead", "Next year"]


async def test_what_one_declined_is_not_there_and_what_one_did_not_accept_takes_no_time(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    when = starts_in(clock, DAY)
    going = await hangout_of(store, clock, ada, friends, title="Going", time=when)
    await hangout_of(store, clock, ada, friends, title="Open", time=when)
    declined = await hangout_of(store, clock, ada, friends, title="Declined", time=when)
    ctx = Context(store, ben, clock())
    await answer(ctx, ben, going.hangout_id, TypedRsvp(status="GOING"))
    await answer(ctx, ben, declined.hangout_id, TypedRsvp(status="NOT_GOING"))
    found = {str(one["summary"]): one["transp"] for one in await events_of(store, clock, ben)}
    assert found == {"Going": "OPAQUE", "Open": "TRANSPARENT"}


async def test_a_change_raises_the_sequence_and_a_cancelled_one_says_so(
    store: Store, clock: Watch, ada: User
) -> None:
    made = await hangout_of(store, clock, ada, is_on=True, time=starts_in(clock, DAY))
    ctx = Context(store, ada, clock())
    (before,) = await events_of(store, clock, ada)
    await change_hangout(ctx, made.hangout_id, {"place": PUB}, version=1)
    (changed,) = await events_of(store, clock, ada)
    await cancel(ctx, made.hangout_id)
    (cancelled,) = await events_of(store, clock, ada)
    await bring_back(ctx, made.hangout_id)
    (back,) = await events_of(store, clock, ada)
    read = [before, changed, cancelled, back]
    assert [one["sequence"] for one in read] == [1, 2, 3, 4]
    states = ["CONFIRMED", "CONFIRMED", "CANCELLED", "CONFIRMED"]
    assert [one["status"] for one in read] == states
    assert len({one["uid"] for one in read}) == 1
    assert changed["location"] == "The pub, 1 High Street"
    assert changed["url"] == f"https://example.org/hangouts/{made.hangout_id}"


async def test_fuzzy_times_are_what_they_mean(store: Store, clock: Watch, ada: User) -> None:
    clock.now = datetime(2026, 6, 1, tzinfo=BERLIN).timestamp()
    saturday = datetime(2026, 6, 13, tzinfo=BERLIN)
    for period, hour in (("morning", 8), ("night", 22), ("day", 9), ("weekend", 0)):
        when = part_of_day(period, saturday.replace(hour=hour))  # type: ignore[arg-type]
        await hangout_of(store, clock, ada, title=period, time=when)
    found = {
        str(one["summary"]): (one.decoded("dtstart"), one.decoded("dtend"))
        for one in await events_of(store, clock, ada)
    }
    assert found == {
        "morning (morning)": (saturday.replace(hour=8), saturday.replace(hour=12)),
        "night (night)": (saturday.replace(hour=22), saturday.replace(day=14, hour=6)),
        "day": (date(2026, 6, 13), date(2026, 6, 14)),
        "weekend": (date(2026, 6, 13), date(2026, 6, 15)),
    }


async def test_a_calendar_takes_as_many_requests_whatever_is_in_it(
    store: Store, clock: Watch, ada: User
) -> None:
    counts = []
    groups = [await group_of(store, clock, ada, name=f"G{number}") for number in range(10)]
    await crowd_of(store, clock, groups[0], 38)
    for hangouts in (1, 49):
        for number in range(hangouts):
            when = starts_in(clock, (number + 1) * DAY)
            await hangout_of(store, clock, ada, groups[number % 10], time=when)
        with counting() as counted:
            await calendar_entries(store, ada, clock())
        counts.append(counted.reads)
    assert counts == [2 + 2 * 11, 2 + 2 * 11]
