"""Fields of pages besides texts: moments as people type them, and the ids of parts."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from commonroom.errors import InvalidField

LONGEST_NAME = 100
YEARS = range(1900, 3000)
"""Far from where calendars end: every zone can show them."""


def moment(field: str, typed: str) -> str:
    """A date and time with its zone, as it is stored: in UTC, to the millisecond."""
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
    """The same, where nothing may be typed."""
    return None if typed is None or not typed.strip() else moment(field, typed)


def new_id() -> str:
    """An id for a part of a page; none is ever used again."""
    return str(uuid4())
