"""When a hangout is, as people say it: its day, its time or part of the day, and whose clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from msgspec import Struct

from commonroom.hangouts import words
from commonroom.hangouts.tables import HangoutPollOption, HangoutSummary, Period
from commonroom.http.times import MONTHS, month_day
from commonroom.http.typed_times import known_zone
from commonroom.http.words import _


class HangoutWhen(Struct, frozen=True, dict=True):
    """A hangout's time on the clocks where it is."""

    start: datetime
    end: datetime
    period: Period | None
    has_end: bool
    today: date
    """Where the hangout is."""
    whose_clock: str
    """The city whose time it is, where the reader has another; empty where they have the same."""

    @cached_property
    def day(self) -> str:
        """The day: today, tomorrow, or with its weekday."""
        if self.period == "weekend":
            return self._weekend
        away = (self.start.date() - self.today).days
        near = {-1: _("Yesterday"), 0: _("Today"), 1: _("Tomorrow")}
        day = self.start.date()
        return near.get(away) or f"{words.weekday(day.weekday())}, {month_day(day, self.today)}"

    @property
    def _weekend(self) -> str:
        first, last = self.start.date(), (self.end - timedelta(seconds=1)).date()
        said = {"first": first.day, "last": month_day(last, self.today)}
        if first.month != last.month:
            said["first"] = month_day(first, self.today)
        return _("Weekend, %(first)s–%(last)s") % said

    @cached_property
    def clock(self) -> str:
        """The time of the day, or its part; empty for a weekend, whose day says it."""
        if self.period is not None:
            return "" if self.period == "weekend" else _(words.PERIODS[self.period])
        start = f"{self.start:%H:%M}"
        if not self.has_end:
            return start
        if self.end.date() == self.start.date() or self.end - self.start < timedelta(hours=12):
            return f"{start}–{self.end:%H:%M}"
        until = {"start": start, "day": month_day(self.end.date(), self.today)}
        return _("%(start)s, until %(day)s") % {**until, "day": f"{until['day']}, {self.end:%H:%M}"}

    @property
    def line(self) -> str:
        """Day and time in one line."""
        said = f"{self.day}, {self.clock}" if self.clock else self.day
        if self.period not in (None, "weekend"):
            said = f"{self.day}, {self.clock.lower()}"
        return f"{said} ({self.whose_clock})" if self.whose_clock else said


def when_of(
    row: HangoutSummary | HangoutPollOption, now: float, reader_zone: str | None
) -> HangoutWhen | None:
    """Returns when a hangout is, or could be; None where it has no day yet."""
    if row.start_timestamp is None or row.end_timestamp is None:
        return None
    entered = row.time
    name = known_zone(entered.time_zone if entered is not None else None) or "UTC"
    zone = ZoneInfo(name)
    start = datetime.fromtimestamp(row.start_timestamp, UTC)
    there = start.astimezone(zone)
    reader = ZoneInfo(known_zone(reader_zone) or name)
    same = there.utcoffset() == start.astimezone(reader).utcoffset()
    return HangoutWhen(
        there,
        datetime.fromtimestamp(row.end_timestamp, zone),
        None if entered is None else entered.period,
        entered is not None and entered.end_time is not None,
        datetime.fromtimestamp(now, zone).date(),
        "" if same else _city(name),
    )


def _city(zone: str) -> str:
    city = zone.rpartition("/")[2].replace("_", " ")
    return "UTC" if zone == "UTC" else _("%(city)s time") % {"city": city}


def month_name(day: date) -> str:
    """Returns a month with its year."""
    return f"{_(MONTHS[day.month - 1])} {day.year}"
