"""What people type, made fit to be kept: lengths count characters."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from commonroom.accounts.errors import Unfit
from commonroom.texts import clean_line, clean_lines

LONGEST_NAME = 100
YEARS = range(1900, 3000)
"""Far from where calendars end: every zone can show them."""


def line(field: str, typed: str, most: int) -> str:
    """Text on one line, of 1 to so many characters."""
    text = clean_line(typed)
    if not 1 <= len(text) <= most:
        raise Unfit(field, f"Enter 1 to {most} characters.")
    return text


def optional_line(field: str, typed: str | None, most: int) -> str | None:
    """The same, where nothing may be typed."""
    return line(field, typed, most) if typed and clean_line(typed) else None


def lines(field: str, typed: str | None, most: int) -> str | None:
    """Text of any number of lines, of at most so many characters; None where there is none."""
    text = clean_lines(typed or "")
    if len(text) > most:
        raise Unfit(field, f"Enter at most {most} characters.")
    return text or None


def moment(field: str, typed: str) -> str:
    """A date and time with its zone, as it is stored: in UTC, to the millisecond."""
    try:
        read = datetime.fromisoformat(typed.strip())
        if read.tzinfo is None:
            raise Unfit(field, "Choose a time zone.")
        utc = read.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unfit(field, "Enter a valid date and time.") from None
    if utc.year not in YEARS:
        raise Unfit(field, "This date is too far away.")
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def optional_moment(field: str, typed: str | None) -> str | None:
    """The same, where nothing may be typed."""
    return None if typed is None or not typed.strip() else moment(field, typed)


def new_id() -> str:
    """An id for a part of a page; none is ever used again."""
    return str(uuid4())
