"""Fields of rows, as services and spreadsheets write them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, tzinfo

from commonroom.imports.files import InvalidRow, excerpt
from commonroom.moments import in_utc

_STARS = re.compile(r"[0-9]{1,2}(?:[.,][0-9]{1,2})?")


def stars_in(text: str) -> float | None:
    """Returns a rating, with a point or a comma; None where it is none."""
    if text.isascii() and _STARS.fullmatch(text):
        return float(text.replace(",", "."))
    return None


def past_moment(
    text: str,
    now: float,
    zone: tzinfo,
    parse: Callable[[str], datetime] = datetime.fromisoformat,
) -> str:
    """Returns a moment of the past to the millisecond; a day alone is its beginning."""
    try:
        at = parse(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=zone)
        kept, seconds = in_utc(at.isoformat()), at.timestamp()
    except (ValueError, OverflowError):
        raise InvalidRow(None, f"“{excerpt(text)}” is not a date and time.") from None
    if not 0 <= seconds <= now:
        raise InvalidRow(None, f"“{excerpt(text)}” is not in the past.")
    return kept
