"""An event as a calendar file."""

from __future__ import annotations

from datetime import datetime, timedelta

from icalendar import Calendar
from icalendar import Event as Entry

from commonroom.shareables.rules.short_ids import shown
from commonroom.shareables.tables import Event
from commonroom.web.markdown import plain

USUAL_DURATION = timedelta(hours=2)
"""Of an event that says no end: without one, calendars show a moment that nobody sees."""
MAKER = "-//Commonroom//Shareables//EN"


def calendar_file(event: Event, address: str) -> bytes:
    """The event, to be put into a calendar; fetched anew, it takes the place of what it was."""
    entry = Entry()
    entry.add("uid", f"{event.created_at}-{event.short_id}@commonroom")
    entry.add("sequence", event.version)
    entry.add("dtstamp", datetime.fromisoformat(event.updated_at))
    entry.add("dtstart", datetime.fromisoformat(event.start_time))
    if event.end_time is not None:
        entry.add("dtend", datetime.fromisoformat(event.end_time))
    else:
        entry.add("duration", USUAL_DURATION)
    entry.add("summary", event.name)
    if event.location is not None:
        entry.add("location", event.location)
    if event.description is not None:
        entry.add("description", plain(event.description))
    entry.add("url", address)
    made = Calendar()
    made.add("prodid", MAKER)
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add_component(entry)
    written: bytes = made.to_ical()
    return written


def file_name(event: Event) -> str:
    """What the file is called on somebody's device."""
    return f"{shown(event.short_id)}.ics"
