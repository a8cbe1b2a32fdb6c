"""An event as a calendar file."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from icalendar import Calendar
from msgspec.structs import replace

from commonroom.moments import iso
from commonroom.shareables.service.edit import save
from commonroom.shareables.tables import Event
from tests.shareables.furniture import NEXT_BIRTHDAY, YEAR
from tests.shareables.pages.site import DAY, Site, at
from tests.support.pages import Browser


def entry(content: bytes) -> Any:
    """The one event of a file."""
    (found,) = Calendar.from_ical(content).walk("VEVENT")
    return found


async def test_it_says_what_and_when_and_where(site: Site, guest: Browser) -> None:
    words = "Bring a *cake* for [Lea](https://example.org).\n\n- and boots"
    made = await site.made(
        replace(NEXT_BIRTHDAY, description=words, end_time=f"{YEAR}-12-01T22:00:00+01:00")
    )
    answer = await guest.get(at(made, "/event.ics"))
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    name = f"{made.page.short_id.upper()}.ics"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    found = entry(answer.content)
    assert str(found["summary"]) == "Birthday"
    assert found["dtstart"].dt == datetime(YEAR, 12, 1, 17, tzinfo=UTC)
    assert found["dtend"].dt == datetime(YEAR, 12, 1, 21, tzinfo=UTC)
    assert str(found["location"]) == "The garden"
    assert str(found["description"]) == "Bring a cake for Lea (https://example.org).\nand boots"
    assert str(found["url"]) == f"http://house.example{at(made)}"


async def test_it_takes_the_place_of_what_it_was_before_an_edit(site: Site, guest: Browser) -> None:
    made = await site.made(NEXT_BIRTHDAY, ago=DAY)
    before = entry((await guest.get(at(made, "/event.ics"))).content)
    gate = await site.opened(made, Event)
    await save(
        replace(gate, now=2e9), gate.page.version, replace(NEXT_BIRTHDAY, location="Indoors")
    )
    after = entry((await guest.get(at(made, "/event.ics"))).content)
    assert before["uid"] == after["uid"]
    assert before["sequence"] < after["sequence"]
    assert before["dtstamp"].dt < after["dtstamp"].dt


async def test_no_other_page_is_one_and_a_shut_event_gives_none(site: Site, guest: Browser) -> None:
    assert (await guest.get(at(await site.made(), "/event.ics"))).status_code == 404
    shut = await site.made(NEXT_BIRTHDAY, protected=True)
    assert (await guest.get(at(shut, "/event.ics"))).status_code == 403
    soon = replace(NEXT_BIRTHDAY, start_time=iso(time.time() - 8 * DAY + 3600))
    over = await site.made(soon, ago=8 * DAY)
    assert (await guest.get(at(over, "/event.ics"))).status_code == 410


async def test_an_event_without_an_end_lasts_two_hours_in_a_calendar(
    site: Site, guest: Browser
) -> None:
    made = await site.made(NEXT_BIRTHDAY)
    answer = await guest.get(at(made, "/event.ics"))
    (entry,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert entry.decoded("dtend") - entry.decoded("dtstart") == timedelta(hours=2)
