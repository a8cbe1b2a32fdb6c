"""Due dates in a person's calendar: of what they lent, and of what they borrowed."""

from __future__ import annotations

from datetime import date
from typing import Any

from icalendar import Calendar
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.http.calendars import calendar_file
from commonroom.library.joins.calendar import calendar_entries
from commonroom.library.service.loans import change_due_date, lend, return_item
from commonroom.library.tables import Library
from commonroom.moments import seconds
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.library.bookcase import book_of


async def test_both_sides_of_a_loan_see_its_day_until_it_is_returned(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    clock.now = seconds("2026-05-01T12:00:00.000Z")
    book = await book_of(store, clock, ada, home, "Emma")
    other = await book_of(store, clock, ada, home, "Open end")
    ctx = Context(store, ada, clock())
    await lend(ctx, home.library_id, book.item_id, to="Ben", due="2026-05-31", email=ben.email)
    await lend(ctx, home.library_id, other.item_id, to="Ben", email=ben.email)
    [lent] = await calendar_entries(store, ada, clock())
    [borrowed] = await calendar_entries(store, ben, clock())
    assert (lent.title, borrowed.title) == ("Emma back from Ben", "Return Emma to Ada")
    await change_due_date(ctx, home.library_id, book.item_id, due="2026-06-07")
    [moved] = await calendar_entries(store, ben, clock())
    assert moved.uid == borrowed.uid
    assert moved.version > borrowed.version
    await return_item(ctx, home.library_id, book.item_id)
    for person in (ada, ben):
        assert await calendar_entries(store, person, clock()) == []


async def test_it_is_the_day_that_was_said_wherever_one_lives(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = seconds("2026-05-01T12:00:00.000Z")
    book = await book_of(store, clock, ada, home, "Emma")
    ctx = Context(store, ada, clock())
    await lend(ctx, home.library_id, book.item_id, to="Ben", due="2026-05-31")
    for zone in ("Pacific/Auckland", "America/Los_Angeles", None):
        entries = await calendar_entries(store, replace(ada, time_zone=zone), clock())
        written = calendar_file(entries, "https://example.org")
        event: Any = Calendar.from_ical(written).walk("VEVENT")[0]
        assert event["dtstart"].dt == date(2026, 5, 31)
        assert event["dtend"].dt == date(2026, 6, 1)


async def test_it_takes_three_requests(store: Store, clock: Watch, ada: User) -> None:
    with counting() as tally:
        await calendar_entries(store, ada, clock())
    assert tally.requests <= 3
