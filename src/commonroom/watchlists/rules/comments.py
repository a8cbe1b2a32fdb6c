"""Comments: what may be said, and the ids by which they are found."""

from __future__ import annotations

from datetime import datetime, timedelta

from commonroom.errors import InvalidField
from commonroom.moments import in_utc
from commonroom.texts import fit_lines
from commonroom.watchlists.tables import Comment

LONGEST_COMMENT = 2000
LONGEST_ID = 200


def comment_text(text: str) -> str:
    """What somebody says about a list."""
    found = fit_lines("text", text, LONGEST_COMMENT)
    if found is None:
        raise InvalidField("text", "Write something first.")
    return found


def comment_id(comment: Comment) -> str:
    """A comment's id in addresses: when it was made, and by whom."""
    return f"{comment.created_at}_{comment.user_id}"


def parsed_id(text: str) -> tuple[str, str] | None:
    """The moment and the author of an id; None where it is none."""
    moment, _, user_id = text[:LONGEST_ID].partition("_")
    try:
        created_at = in_utc(moment)
    except ValueError:
        return None
    fits = len(user_id) > 0 and user_id.isprintable() and "#" not in user_id
    return (created_at, user_id) if fits else None


def next_millisecond(moment: str) -> str:
    """The moment after one that is taken."""
    return in_utc((datetime.fromisoformat(moment) + timedelta(milliseconds=1)).isoformat())
