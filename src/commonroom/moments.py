"""Moments as they are stored: ISO 8601 in UTC, to the millisecond, so that they sort as text."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from typing import Annotated, TypeAlias

from msgspec import Meta

MAX_SKEW_SECONDS = 300.0
"""By how much the clocks of two machines may differ without one of them being wrong."""

Moment: TypeAlias = Annotated[str, Meta(description="In UTC, such as `2026-05-31T18:00:00.000Z`.")]
"""A moment as programs are told it."""

UNKNOWN = "1970-01-01T00:00:00.000Z"
"""Stands for a moment that nobody wrote down, in data that another application made."""
NEVER = "2999-12-31T00:00:00.000Z"
"""Stands for the end of something of which nobody knows when it began."""


@lru_cache(maxsize=64)  # a request asks for its own moment several times
def iso(at: float) -> str:
    """Seconds since 1970 as text, such as `2026-05-31T18:00:00.000Z`."""
    return _written(datetime.fromtimestamp(at, UTC))


def seconds(moment: str) -> float:
    """Returns a moment's text as seconds since 1970."""
    return datetime.fromisoformat(moment).timestamp()


def known(moment: str) -> str | None:
    """Returns the moment itself; None where nobody knows it."""
    return None if moment in (UNKNOWN, NEVER) else moment


def in_utc(moment: str) -> str:
    """Returns a moment of any time zone as it is stored; raises ValueError where it is none."""
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        raise ValueError(f"{moment} is no date and time.") from None
    if parsed.tzinfo is None:
        raise ValueError(f"{moment} does not say its time zone.")
    try:
        return _written(parsed.astimezone(UTC))
    except OverflowError:
        raise ValueError(f"{moment} is outside the years 1 to 9999.") from None


def is_future(at: float, now: float) -> bool:
    """Whether a stored moment is of a clock that has been set back since: it says nothing then."""
    return at > now + MAX_SKEW_SECONDS


def past(moment: str | None, now: float) -> float | None:
    """Returns a stored moment in seconds; None where there is none, or where it says nothing."""
    at = None if moment is None else seconds(moment)
    return None if at is None or is_future(at, now) else at


def elapsed(at: float, now: float) -> float:
    """Returns how many seconds ago a stored moment was: endlessly many where it says nothing."""
    return inf if is_future(at, now) else now - at


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
