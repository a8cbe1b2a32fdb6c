"""Decisions about what a person has seen: on which day, and what takes a mark away."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from msgspec import Struct

from commonroom.date_bounds import check_day
from commonroom.errors import InvalidField
from commonroom.watchlists.tables import Seen

MAX_OTHER_DAYS = 100
"""Of how many viewings besides the last one the days are kept."""


def seen_day(text: str | None, now: float) -> str | None:
    """Returns the day on which a title was seen; None where it is not said."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise InvalidField("seen_on", "Enter a date.") from None
    # Somewhere it is tomorrow already.
    if day > datetime.fromtimestamp(now, UTC).date() + timedelta(days=1):
        raise InvalidField("seen_on", "Enter a date that is not in the future.")
    check_day("seen_on", day, now)
    return day.isoformat()


class Days(Struct, frozen=True):
    """The days on which a title was seen: the one that counts, and the others."""

    seen_on: str | None = None
    other_days: list[str] = []

    @property
    def all(self) -> list[str]:
        """All of them."""
        return [*([] if self.seen_on is None else [self.seen_on]), *self.other_days]

    def with_more(self, added: Iterable[str]) -> Days:
        """These with others; the day that counts stays, or is the latest where there was none."""
        known = {*self.other_days, *added}
        day = self.seen_on or max(known, default=None)
        return Days(day, sorted(known - {day}, reverse=True)[:MAX_OTHER_DAYS])


NO_DAYS: dict[str, Any] = {"seen_on": None, "other_days": []}


def days_of(seen: Seen | None) -> Days:
    """Returns the days on which a title was seen, as far as a mark says."""
    return Days() if seen is None else Days(seen.seen_on, seen.other_days)


def without_own(seen: Seen) -> dict[str, Any] | None:
    """What changes when a person takes their own mark back; None where nothing is left of it."""
    if not seen.evenings and not seen.dismissed:
        return None
    return {"own": None, **NO_DAYS}


def dismissed(seen: Seen) -> dict[str, Any] | None:
    """Returns what changes when a person says they have not seen it, wherever the mark is from."""
    gone = [*seen.dismissed, *(one for one in seen.evenings if one not in seen.dismissed)]
    if not gone:
        return None
    return {"own": None, **NO_DAYS, "evenings": {}, "dismissed": gone}


def with_evenings(seen: Seen, added: dict[str, str], gone: Collection[str]) -> dict[str, str]:
    """Returns the evenings of a mark once some were added or taken back; dismissed ones stay so."""
    kept = {name: at for name, at in seen.evenings.items() if name not in gone}
    return kept | {name: at for name, at in added.items() if name not in seen.dismissed}
