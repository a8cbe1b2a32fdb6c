"""The form of a hangout: what is typed, tapped and chosen, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.hangouts import words
from commonroom.hangouts.pages.series import ERROR_FIELDS
from commonroom.hangouts.rules.parties import MAX_PARTS
from commonroom.hangouts.rules.times import PERIOD_STARTS
from commonroom.hangouts.tables import EnteredTime, Hangout, Period, Venue
from commonroom.http.forms import Address, Form, Line, OneOrMany
from commonroom.http.typed_times import TimeQuestion, UncertainTimes, known_zone, local, read_time
from commonroom.http.words import _
from commonroom.joins.plans import PlanDraft

OTHER, WEEKEND = "other", "weekend"
SOON = 6
"""How many of the next days can be tapped."""


class HangoutForm(Form):
    """A hangout as a form sends it."""

    title: Line = ""
    description: str = ""
    link: Line = ""
    picture: Line = ""
    day_choice: Line = ""
    day: Line = ""
    part: Line = ""
    time: Line = ""
    time_means: Line = ""
    end_time: Line = ""
    end_time_means: Line = ""
    place_id: Line = ""
    place_name: Line = ""
    place_was: Line = ""
    place_address: Line = ""
    place_url: Address = ""
    place_notes: Line = ""
    place_limit: Line = ""
    visibility: Line = ""
    group_ids: OneOrMany = ""
    ideas: Line = ""
    idea: Line = ""
    kind: Line = ""
    thing: Line = ""
    """What it is planned with, of another room."""
    how: Line = ""
    version: int = 0
    repeats: Line = ""
    repeats_until: Line = ""
    parts: str = ""
    """Of a watch party: a title on each line."""
    episodes: Line = ""
    """Of a show: how many episodes, instead."""
    scope: Line = ""
    """Of a hangout that repeats: whether all that follow change as well."""

    error_fields: ClassVar[Mapping[str, str]] = {
        "time": "day",
        "time.period": "part",
        "time.period_start": "day",
        "time.start_time": "time",
        "time.end_time": "end_time",
        "place.place_id": "place_name",
        **ERROR_FIELDS,
    }


class DayChoice(Struct, frozen=True):
    """A day that can be tapped."""

    value: str
    label: str


def day_choices(now: float, zone: str, number: int = SOON) -> list[DayChoice]:
    """The next days by their names, and the coming weekend; after a week with the day's number."""
    today = datetime.fromtimestamp(now, ZoneInfo(zone)).date()
    days = [today + timedelta(days=away) for away in range(number)]
    names = [_("Today"), _("Tomorrow"), *(words.weekday(one.weekday()) for one in days[2:7])]
    names += [f"{words.short_weekday(one.weekday())} {one.day}" for one in days[7:]]
    chosen = [DayChoice(one.isoformat(), name) for one, name in zip(days, names, strict=True)]
    return [*chosen, DayChoice(WEEKEND, _("The weekend"))]


def zone_of(person_zone: str | None) -> str:
    """Returns the zone in which times are typed."""
    return known_zone(person_zone) or "UTC"


def entered_time(data: HangoutForm, now: float, zone: str) -> EnteredTime | None:
    """The time that a form says; None where it has no day, asked about where it is not clear."""
    tapped = data.day_choice not in ("", OTHER)
    chosen = data.day_choice if tapped else data.day.strip()
    if not chosen:
        return None
    if chosen == WEEKEND:
        return _period("weekend", _saturday(now, zone), zone)
    day = _read_day(chosen)
    if data.time.strip():
        return _exact(data, day, zone)
    part: Any = data.part or "day"
    if part not in PERIOD_STARTS:
        raise InvalidField("part", "Choose a part of the day.")
    return _period(part, day, zone)


def _exact(data: HangoutForm, day: date, zone: str) -> EnteredTime:
    values = {
        "time": f"{day.isoformat()}T{data.time.strip()}",
        "time_means": data.time_means,
        "end_time": data.end_time,
        "end_time_means": data.end_time_means,
    }
    read = {name: read_time(name, values, zone) for name in ("time", "end_time")}
    questions = {name: one for name, one in read.items() if isinstance(one, TimeQuestion)}
    if questions:
        raise UncertainTimes(questions)
    start, end = (_there(read[name], zone) for name in ("time", "end_time"))
    return EnteredTime(start_time=start, end_time=end, time_zone=zone)


def _there(moment: Any, zone: str) -> str | None:
    """Returns a moment as it is entered there: with the offset that its clocks have."""
    if moment is None:
        return None
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)).isoformat()


def _period(period: Period, day: date, zone: str) -> EnteredTime:
    hour = PERIOD_STARTS[period]
    start = datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(zone))
    return EnteredTime(period=period, period_start=start.isoformat(), time_zone=zone)


def _saturday(now: float, zone: str) -> date:
    """Returns the Saturday of the weekend that is on, or comes next."""
    today = datetime.fromtimestamp(now, ZoneInfo(zone)).date()
    return (
        today - timedelta(days=1)
        if today.weekday() == 6
        else today + timedelta(days=(5 - today.weekday()) % 7)
    )


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidField("day", "Choose a day.") from None


def venue_of(data: HangoutForm) -> Venue | None:
    """Returns the place that a form says; None where none is chosen and it has no name.

    What was typed counts more than what is ticked, unless it stood there before.
    """
    typed = data.place_name.strip()
    if data.place_id and typed in ("", data.place_was):
        return Venue(name=data.place_id, place_id=data.place_id)  # in its own words, later
    if not typed:
        return None
    return Venue(
        name=data.place_name,
        address=data.place_address or None,
        url=data.place_url or None,
        notes=data.place_notes or None,
    )


def fields_of(data: HangoutForm, now: float, zone: str) -> dict[str, Any]:
    """Returns all fields of a hangout but its groups, as services take them."""
    return {
        "title": data.title,
        "description": data.description,
        "link": data.link,
        "picture": data.picture or None,
        "time": entered_time(data, now, zone),
        "place": venue_of(data),
        "place_limit": _number(data.place_limit),
        "visibility": "PUBLIC" if data.visibility == "PUBLIC" else "INVITE_ONLY",
    }


def _number(text: str) -> int | None:
    plain = text.strip()
    if not plain:
        return None
    if not (plain.isascii() and plain.isdigit() and len(plain) < 8):
        raise InvalidField("place_limit", "Enter a number.")
    return int(plain)


def values_of(hangout: Hangout) -> Mapping[str, Any]:
    """Returns a stored hangout as its form shows it."""
    time, place = hangout.time, hangout.place
    zone = known_zone(time.time_zone if time else None) or "UTC"
    moment = None if time is None else time.start_time or time.period_start
    there = local(moment, zone)
    is_exact = time is not None and time.period is None
    return {
        "title": hangout.title,
        "description": hangout.description or "",
        "link": hangout.link or "",
        "picture": hangout.picture or "",
        "day_choice": OTHER if moment else "",
        "day": there.partition("T")[0],
        "time": there.partition("T")[2] if is_exact else "",
        "part": "" if time is None or is_exact else time.period or "",
        "end_time": local(time.end_time, zone) if time else "",
        "place_id": (place.place_id or "") if place else "",
        "place_name": place.name if place and not place.place_id else "",
        "place_was": place.name if place and not place.place_id else "",
        "place_address": (place.address or "") if place else "",
        "place_url": (place.url or "") if place and not place.place_id else "",
        "place_notes": (place.notes or "") if place and not place.place_id else "",
        "place_limit": str(hangout.place_limit or ""),
        "visibility": hangout.visibility,
        "group_ids": hangout.group_ids,
        "version": hangout.version,
    }


def planned_values(draft: PlanDraft, zone: str) -> dict[str, Any]:
    """Returns what a form holds that is opened for a thing of another room."""
    there = local(draft.start, zone)
    return {
        "title": draft.title,
        "description": draft.description,
        "link": draft.link,
        "place_name": draft.place,
        "day_choice": OTHER if there else "",
        "day": there.partition("T")[0],
        "time": there.partition("T")[2],
        "end_time": local(draft.end, zone),
        "parts": "\n".join(draft.parts),
        "repeats": "WEEKLY" if len(draft.parts) > 1 else "",
    }


def party_parts(data: HangoutForm) -> list[str]:
    """The titles of a watch party: those typed, or so many episodes; none where it is none."""
    if data.parts.strip() or not data.episodes.strip():
        return data.parts.splitlines()
    plain = data.episodes.strip()
    is_number = plain.isascii() and plain.isdigit() and len(plain) <= 3
    if not (is_number and 2 <= int(plain) <= MAX_PARTS):
        raise InvalidField("episodes", f"Enter a number from 2 to {MAX_PARTS}.")
    return [_("Episode %(n)d") % {"n": one} for one in range(1, int(plain) + 1)]
