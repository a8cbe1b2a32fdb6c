"""Moments as an invitation says them: the day large, the hours, and whose clock is meant."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from msgspec import Struct

from commonroom.web.words import _


class When(Struct, frozen=True):
    """A moment on somebody's clock."""

    at: str
    """As it is stored."""
    local: datetime
    zone: str

    @property
    def weekday(self) -> str:
        """Its day of the week."""
        return (
            _("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"),
            _("Friday"), _("Saturday"), _("Sunday"),
        )[self.local.weekday()]  # fmt: skip

    @property
    def month(self) -> str:
        """Its month."""
        return (
            _("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July"),
            _("August"), _("September"), _("October"), _("November"), _("December"),
        )[self.local.month - 1]  # fmt: skip

    @property
    def clock(self) -> str:
        """The time of day."""
        return f"{self.local:%H:%M}"

    @property
    def day(self) -> str:
        """The day, in one line."""
        said = {"weekday": self.weekday, "day": self.local.day, "month": self.month}
        return _("%(weekday)s, %(day)s %(month)s") % said

    @property
    def whose_clock(self) -> str:
        """Whose time it is, by the city that names it."""
        if self.zone == "UTC":
            return "UTC"
        city = self.zone.rpartition("/")[2].replace("_", " ")
        return _("%(city)s time") % {"city": city}

    def same_day(self, other: When) -> bool:
        """Whether another moment is on the same day."""
        return self.local.date() == other.local.date()


def when(at: str, zone: str | None) -> When:
    """A stored moment in a zone; UTC where there is none, or none that is known here."""
    place = _zone(zone)
    named = "UTC" if place is UTC or zone is None else zone
    return When(at, datetime.fromisoformat(at).astimezone(place), named)


def _zone(name: str | None) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (KeyError, ValueError, OSError):
        return UTC  # it was chosen where other zones were known
