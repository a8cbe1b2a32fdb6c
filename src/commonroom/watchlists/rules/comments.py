"""Comments: what may be said, and when."""

from __future__ import annotations

from datetime import datetime, timedelta

from commonroom.errors import InvalidField
from commonroom.moments import in_utc
from commonroom.texts import fit_lines

MAX_COMMENT = 2000


def comment_text(text: str) -> str:
    """Returns a comment on a list."""
    found = fit_lines("text", text, MAX_COMMENT)
    if found is None:
        raise InvalidField("text", "Write something first.")
    return found


def next_millisecond(moment: str) -> str:
    """Returns the moment after one that is taken."""
    return in_utc((datetime.fromisoformat(moment) + timedelta(milliseconds=1)).isoformat())
