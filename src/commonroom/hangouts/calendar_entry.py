"""A hangout as a calendar shows it: among a person's own, and as a file."""

from __future__ import annotations

from commonroom.hangouts import words
from commonroom.hangouts.notifications import page_of
from commonroom.hangouts.tables import Hangout, HangoutSummary, Pointer, RsvpStatus
from commonroom.http.calendars import CalendarEntry, Status
from commonroom.http.typed_times import known_zone
from commonroom.http.words import _

WHOLE_DAYS = ("day", "weekend")


def entry_of(
    of: HangoutSummary, answer: RsvpStatus | None, path: str | None = None
) -> CalendarEntry:
    """A hangout that has a day, as a calendar shows it; `path` is its page, where not its own."""
    entered, place = of.time, of.place
    period = None if entered is None else entered.period
    where = None if place is None else ", ".join(filter(None, (place.name, place.address)))
    return CalendarEntry(
        uid=f"hangout-{of.hangout_id}@commonroom",
        version=_version(of),
        changed_at=of.updated_at,
        title=_title(of),
        start=of.start_timestamp or 0,
        end=of.end_timestamp or of.start_timestamp or 0,
        zone=known_zone(None if entered is None else entered.time_zone) or "UTC",
        whole_days=period in WHOLE_DAYS,
        place=where,
        description=of.description if isinstance(of, Hangout) else None,
        path=path or page_of(of.hangout_id),
        status=_status(of),
        takes_time=answer == "GOING" and of.cancelled_at is None,
    )


def _title(of: HangoutSummary) -> str:
    """The title; where only a part of the day is known, a calendar shows hours, so it says so."""
    period = None if of.time is None else of.time.period
    if period is None or period in WHOLE_DAYS:
        return of.title
    return f"{of.title} ({_(words.PERIODS[period]).lower()})"


def _version(of: HangoutSummary) -> int:
    if isinstance(of, Hangout):
        return of.version
    return of.hangout_version if isinstance(of, Pointer) else 1


def _status(of: HangoutSummary) -> Status:
    if of.cancelled_at is not None:
        return "CANCELLED"
    return "CONFIRMED" if of.momentum == "CONFIRMED" else "TENTATIVE"
