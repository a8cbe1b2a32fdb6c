"""Moments as people say them: how long ago, or on which day where they live; and how long."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, tzinfo
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from minijinja import pass_state

from commonroom.accounts.tables import User
from commonroom.http.words import _, lazy, pluralize

MINUTE, HOUR, DAY = 60, 3600, 86400
MONTHS = (
    lazy("January"), lazy("February"), lazy("March"), lazy("April"), lazy("May"),
    lazy("June"), lazy("July"), lazy("August"), lazy("September"), lazy("October"),
    lazy("November"), lazy("December"),
)  # fmt: skip
WEEKDAYS = (
    lazy("Monday"), lazy("Tuesday"), lazy("Wednesday"), lazy("Thursday"),
    lazy("Friday"), lazy("Saturday"), lazy("Sunday"),
)  # fmt: skip


TemplateState: TypeAlias = Any
"""What functions of templates look names up in; the engine's own class for it is private."""


@pass_state
def ago(state: TemplateState, moment: str) -> str:
    """How long ago a stored moment was; the day itself where that is more than a week."""
    passed = time.time() - _read(moment).timestamp()
    if passed < MINUTE:
        return _("just now")
    if passed < HOUR:
        return pluralize("%(n)d minute ago", "%(n)d minutes ago", int(passed / MINUTE))
    if passed < DAY:
        return pluralize("%(n)d hour ago", "%(n)d hours ago", int(passed / HOUR))
    if passed < 7 * DAY:
        return pluralize("%(n)d day ago", "%(n)d days ago", int(passed / DAY))
    return day(state, moment)


@pass_state
def day(state: TemplateState, moment: str | float) -> str:
    """The day, such as 31 May 2026, where the reader lives."""
    local = _read(moment).astimezone(_zone(state))
    return f"{local.day} {_month(local.month)} {local.year}"


def calendar_day(text: str) -> str:
    """Returns a day of the calendar (2026-05-31), which is the same wherever the reader lives."""
    plain = date.fromisoformat(text)
    return f"{plain.day} {_month(plain.month)} {plain.year}"


def month_day(day: date, today: date) -> str:
    """Returns a day of the calendar, with its year where that is not the current one."""
    text = f"{day.day} {_month(day.month)}"
    return text if day.year == today.year else f"{text} {day.year}"


def weekday_and_date(day: date) -> str:
    """Returns a day by its names, for what may be read on another day."""
    values = {"weekday": _(WEEKDAYS[day.weekday()]), "day": day.day, "month": _month(day.month)}
    return _("%(weekday)s, %(day)s %(month)s") % values


@pass_state
def exactly(state: TemplateState, moment: str | float) -> str:
    """Day and time where the reader lives, with the zone's name."""
    local = _read(moment).astimezone(_zone(state))
    return f"{local.day} {_month(local.month)} {local.year}, {local:%H:%M %Z}"


def runtime(minutes: int) -> str:
    """Returns how long a film is, such as 1 h 35 min."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": rest}
    if not rest:
        return _("%(hours)d h") % {"hours": hours}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": rest}


def part_of_day(person: User) -> str | None:
    """Morning, afternoon, evening or night where a person lives; None where that is not known."""
    if not person.time_zone:
        return None
    hour = datetime.now(_zone_named(person.time_zone)).hour
    parts = ((5, "night"), (12, "morning"), (18, "afternoon"), (23, "evening"))
    return next((name for end, name in parts if hour < end), "night")


def zone_of(person: User) -> tzinfo:
    """Returns the time zone in which a person lives, as far as they say."""
    return _zone_named(person.time_zone)


def _read(moment: str | float) -> datetime:
    if isinstance(moment, str):
        return datetime.fromisoformat(moment)
    return datetime.fromtimestamp(moment, UTC)


def _zone(state: TemplateState) -> tzinfo:
    person = state.lookup("viewer").account
    return _zone_named(person.time_zone if person is not None else None)


def _zone_named(name: str | None) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (KeyError, ValueError, OSError):
        return UTC  # it was chosen where other zones were known


def _month(number: int) -> str:
    return _(MONTHS[number - 1])
