"""Dates on a page, and how long it lives: for the days chosen, an event until after its end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, get_args

from commonroom.date_bounds import check_moment
from commonroom.errors import FieldErrors, InvalidField
from commonroom.moments import iso, seconds
from commonroom.shareables.errors import DateInPast
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.shareables.tables.not_known import AFTER_EVENT, DAY, KEPT_DAYS

Days: TypeAlias = Literal[1, 7, 30]

HOUR = 3600
YEARS = range(1900, 3000)
"""Far from where calendars end: every zone can show them."""


def lifetime(now: float, days: int, page: Mapping[str, Any]) -> dict[str, Any]:
    """Returns when a page with these fields closes, and when the database removes it."""
    closes = now + days * DAY
    if (over := page.get("end_time") or page.get("start_time")) is not None:
        closes = max(closes, seconds(over) + AFTER_EVENT)
    return closing_at(closes)


def lifetime_after_edit(expires_at: str, page: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the lifetime after an edit of an event's times: later if they are, never earlier."""
    before = seconds(expires_at)
    after = lifetime(before, 0, page)
    return after if seconds(after["expires_at"]) > before else {}


def closing_at(closes: float) -> dict[str, Any]:
    """Returns the fields of a page that closes then."""
    return {"expires_at": iso(closes), "ttl": int(closes) + KEPT_DAYS * DAY}


def moment(field: str, typed: str) -> str:
    """Returns a date and time with its zone, as it is stored: in UTC, to the millisecond."""
    try:
        read = datetime.fromisoformat(typed.strip())
        if read.tzinfo is None:
            raise InvalidField(field, "Choose a time zone.")
        utc = read.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidField(field, "Enter a valid date and time.") from None
    if utc.year not in YEARS:
        raise InvalidField(field, "This date is too far away.")
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def optional_moment(field: str, typed: str | None) -> str | None:
    """Returns a typed moment, or None for nothing."""
    return None if typed is None or not typed.strip() else moment(field, typed)


GUEST_EVENT_DAYS = 2 * 365
"""How far ahead an event without an account can end."""
OF_EVENT = ("start_time", "end_time")
"""What the life of an event's page depends on."""
DATES = (*OF_EVENT, "rsvp_deadline", "closes_at")
ASKED = ("start_time", "rsvp_deadline", "closes_at")
"""What is about to happen on a page; an end follows from its start."""


def past_dates(
    now: float, fields: Mapping[str, Any], before: Checklist | Event | Poll | None = None
) -> list[str]:
    """Returns which dates among these fields are in the past; not those that stood there before."""
    return [
        name
        for name in ASKED
        if (moment := fields.get(name)) is not None
        and moment <= iso(now)
        and moment != getattr(before, name, None)
    ]


def check_dates(
    now: float,
    fields: Mapping[str, Any],
    before: Checklist | Event | Poll | None = None,
    *,
    is_guests: bool,
    confirm_past: bool,
) -> None:
    """Refuses dates that are too far away, and asks about those in the past, unless confirmed.

    An event of guests ends within two years: its page lives until then, and is nobody's.
    """
    errors = FieldErrors()
    for name in DATES:
        moment = fields.get(name)
        if moment is None or moment == getattr(before, name, None):
            continue
        at = seconds(moment)
        errors.check(check_moment, name, at, now)
        if is_guests and name in OF_EVENT and at > now + GUEST_EVENT_DAYS * DAY:
            errors.check(_refuse_far_event, name)
    errors.raise_if_any()
    if not confirm_past and (past := past_dates(now, fields, before)):
        raise DateInPast(past[0])


def _refuse_far_event(field: str) -> None:
    raise InvalidField(field, "Choose a date within two years, or sign in to plan further ahead.")


def outdated(now: float, page: Checklist | Event | Poll) -> list[str]:
    """Returns which dates a page like this one cannot have again."""
    return past_dates(now, {name: getattr(page, name, None) for name in ASKED})


def outlived_by(page: Checklist | Event | Poll) -> str | None:
    """Returns what comes only after the page is closed: its event, or the end of its vote."""
    match page:
        case Event():
            moment: str | None = page.start_time
        case Poll():
            moment = page.closes_at
        case _:
            moment = None
    return moment if moment is not None and moment > page.expires_at else None


def possible_extensions(now: float, page: Checklist | Event | Poll) -> list[Days]:
    """Returns how many days from now a page could be given: those that are worth a press."""
    all_days: tuple[Days, ...] = get_args(Days)
    return [one for one in all_days if now + one * DAY > seconds(page.expires_at) + HOUR]
