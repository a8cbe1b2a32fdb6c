"""An event for somebody's calendar."""

from __future__ import annotations

from datetime import datetime, timedelta

from icalendar import Calendar
from icalendar import Event as Entry
from litestar import Response

from commonroom.shareables.addresses import address_of
from commonroom.shareables.pages.gates import ONE, EventGate
from commonroom.shareables.rules.short_ids import format_short_id
from commonroom.shareables.tables import Event
from commonroom.web.access import Need
from commonroom.web.forms import handlers, page
from commonroom.web.markdown import plain
from commonroom.web.request import Request
from commonroom.web.sharing import shared

FILE = "/event.ics"
"""Below an event: what calendars take."""
USUAL_DURATION = timedelta(hours=2)
"""Of an event that says no end: without one, calendars show a moment that nobody sees."""
MAKER = "-//Commonroom//Shareables//EN"


@page(f"{ONE}{FILE}", Need.ANYONE)
async def event_file(request: Request, gate: EventGate) -> Response[bytes]:
    """The event as a calendar file, for whoever may see it."""
    event = gate.page
    address = shared(request, address_of(event.short_id), event.name).address
    return Response(
        calendar_file(event, address),
        media_type="text/calendar",
        headers={
            "Content-Disposition": f'attachment; filename="{format_short_id(event.short_id)}.ics"',
            "Cache-Control": "private, no-cache",
        },
    )


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


HANDLERS = handlers(event_file)
