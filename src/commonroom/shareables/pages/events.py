"""An event as its reader sees it: when and where, who comes, and their own answer and calendar."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from markupsafe import Markup
from msgspec import Struct, structs

from commonroom.http.access import Need
from commonroom.http.calendar_files import calendar_response, count_calendar_file
from commonroom.http.calendars import CalendarEntry
from commonroom.http.forms import Pages
from commonroom.http.markdown import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.times import MONTHS, WEEKDAYS, weekday_and_date
from commonroom.http.typed_times import known_zone
from commonroom.http.words import _, pluralize
from commonroom.moments import iso, seconds
from commonroom.shareables.pages.cookies import with_receipt
from commonroom.shareables.request import ONE, EventGate
from commonroom.shareables.rules.events import MAX_GUESTS, ends_at, has_ended, sees_names
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service import events
from commonroom.shareables.service.events import EventGuest, RsvpCounts
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.tables import Event, EventRsvp
from commonroom.store import Page as Part

FILE = "/event.ics"
"""Below an event: what calendars take."""
NOBODY: Part[EventGuest] = Part([], None)


pages = Pages()


class EventWhen(Struct, frozen=True):
    """A moment on a person's clock."""

    local: datetime
    zone: str

    @property
    def weekday(self) -> str:
        """Its day of the week."""
        return _(WEEKDAYS[self.local.weekday()])

    @property
    def month(self) -> str:
        """Its month."""
        return _(MONTHS[self.local.month - 1])

    @property
    def clock(self) -> str:
        """The time of day."""
        return f"{self.local:%H:%M}"

    @property
    def day(self) -> str:
        """The day, in one line."""
        return weekday_and_date(self.local)

    @property
    def whose_clock(self) -> str:
        """Whose time it is, by the city that names it."""
        if self.zone == "UTC":
            return "UTC"
        city = self.zone.rpartition("/")[2].replace("_", " ")
        return _("%(city)s time") % {"city": city}

    def same_day(self, other: EventWhen) -> bool:
        """Returns whether another moment is on the same day."""
        return self.local.date() == other.local.date()


def when(at: str, zone: str | None) -> EventWhen:
    """Returns a stored moment in a zone; UTC where there is none, or none that is known here."""
    named = known_zone(zone) or "UTC"
    return EventWhen(datetime.fromisoformat(at).astimezone(ZoneInfo(named)), named)


class EventView(Struct, frozen=True, kw_only=True):
    """An event as the caller sees it."""

    start: EventWhen
    end: EventWhen | None
    deadline: EventWhen | None
    description: Markup | None
    place_address: str | None
    """Where a press on the place leads: to what is typed there, or to a map."""
    takes_answers: bool
    has_ended: bool
    is_full: bool
    counts: RsvpCounts | None
    sees_names: bool
    guests: Part[EventGuest]
    mine: EventRsvp | None
    name: str | None
    """Of the signed-in person."""
    shows_year: bool
    """Whether it is in another year than this."""

    @property
    def companies(self) -> list[tuple[int, str]]:
        """How many one can bring, in words."""
        some = range(1, MAX_GUESTS + 1)
        counts = [(n, pluralize("%(n)d guest", "%(n)d guests", n)) for n in some]
        return [(0, _("Just me")), *counts]

    @property
    def answered(self) -> dict[str, Any]:
        """One's own answer, as the form takes it; before it is given, what is known of it."""
        return {"name": self.name} if self.mine is None else structs.asdict(self.mine)


async def event_view(
    request: Request, gate: PageAccess[Event], cursor: str | None = None
) -> EventView:
    """An event: a request for who comes, where that is shown, and one for one's own answer."""
    page = gate.page
    names = page.is_rsvp_required and sees_names(page, is_admin=gate.is_admin)
    caller = request.caller
    zone = page.time_zone or (None if caller.account is None else caller.account.time_zone)
    start = when(page.start_time, zone)
    return EventView(
        start=start,
        end=None if page.end_time is None else when(page.end_time, zone),
        deadline=None if page.rsvp_deadline is None else when(page.rsvp_deadline, zone),
        description=None if page.description is None else await render(page.description),
        place_address=_place_address(page),
        takes_answers=_takes_answers(gate),
        has_ended=has_ended(page, gate.now),
        is_full=page.rsvp_count >= gate.caller.limits.answers,
        counts=events.counts(gate) if page.is_rsvp_required else None,
        sees_names=names,
        guests=await events.guests(gate, cursor=cursor) if names else NOBODY,
        mine=await my_answer(request, gate),
        name=None if caller.account is None else caller.member.display_name,
        shows_year=start.local.year != datetime.fromtimestamp(gate.now, start.local.tzinfo).year,
    )


async def my_answer(request: Request, gate: PageAccess[Event]) -> EventRsvp | None:
    """What was answered by the account, or else in this browser; None where that was nothing."""
    return await with_receipt(request, gate, lambda mine: events.my_answer(gate, mine))


def _takes_answers(gate: PageAccess[Event]) -> bool:
    page = gate.page
    late = page.rsvp_deadline is not None and page.rsvp_deadline <= iso(gate.now)
    return page.is_rsvp_required and not (late or has_ended(page, gate.now) or gate.is_closed)


def _place_address(page: Event) -> str | None:
    if page.location is None:
        return None
    if _is_link(page.location):
        return page.location
    if page.type == "Virtual":
        return None
    return f"https://www.openstreetmap.org/search?query={quote(page.location)}"


def _is_link(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("https", "http") and bool(parts.netloc) and " " not in text


@pages.page(f"{ONE}{FILE}", Need.ANYONE)
async def event_file(request: Request, gate: EventGate) -> Response[bytes]:
    """The event as a calendar file, for those who may see it."""
    count_calendar_file(request)
    event = gate.page
    name = f"{format_short_id(event.short_id)}.ics"
    return await calendar_response(request, [calendar_entry(event)], filename=name)


def calendar_entry(event: Event) -> CalendarEntry:
    """Returns the event for a calendar; fetched anew, it takes the place of what it was."""
    return CalendarEntry(
        uid=f"{event.created_at}-{event.short_id}@commonroom",
        version=event.version,
        changed_at=event.updated_at,
        title=event.name,
        start=int(seconds(event.start_time)),
        end=int(ends_at(event)),
        zone=known_zone(event.time_zone) or "UTC",
        place=event.location,
        description=event.description,
        path=address_of(event.short_id),
    )
