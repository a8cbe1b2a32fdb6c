"""Dates and times as somebody types them where they live, and as they are stored."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from commonroom.accounts.errors import Unfit
from commonroom.accounts.rules import time_zone
from commonroom.web.people.pages.profile import zones
from commonroom.web.words import _

UTC_NAME = "UTC"


def zone_choices() -> dict[str, list[tuple[str, str]]]:
    """Time zones by region; also the one of devices that do not say where they are."""
    return {**zones(), _("Everywhere"): [(UTC_NAME, UTC_NAME)]}


def zone_chosen(typed: str) -> str:
    """The zone that times are typed in; refused where none was chosen, rather than guessed."""
    if not typed:
        raise Unfit("time_zone", "Choose the time zone that these times are meant in.")
    return time_zone(typed)


def known_zone(name: str | None) -> str:
    """A zone, unless it was chosen where others were known; nothing where there is none."""
    try:
        return time_zone(name or "")
    except Unfit:
        return ""


def local(moment: str | None, zone: str) -> str:
    """A stored moment as a field for date and time takes it."""
    if moment is None:
        return ""
    there = datetime.fromisoformat(moment)
    with suppress(OverflowError):  # in the first or the last hours that a calendar has
        there = there.astimezone(ZoneInfo(zone))
    return there.replace(tzinfo=None).isoformat(timespec="minutes")


def stored(field: str, typed: str, zone: str, before: str | None = None) -> str | None:
    """What was typed, with its zone; None where nothing was.

    What stood there before and was not touched stays to the second, also in the hour that a clock
    shows twice.
    """
    if not typed.strip():
        return None
    if before is not None and typed == local(before, zone):
        return before
    try:
        read = datetime.fromisoformat(typed.strip())
        meant = read.replace(tzinfo=ZoneInfo(zone))
        utc = meant.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unfit(field, "This is no date and time.") from None
    if read.tzinfo is not None:
        raise Unfit(field, "The time zone stands in a field of its own.")
    if utc.astimezone(meant.tzinfo).replace(tzinfo=None) != read:
        raise Unfit(field, "There is no such time on that day: the clocks are put forward.")
    return utc.isoformat()
