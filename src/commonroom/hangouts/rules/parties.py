"""Watch parties: a series with one title for each time, moved on where a time is skipped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.hangouts.rules.hangouts import MAX_TITLE
from commonroom.hangouts.tables import Hangout
from commonroom.texts import clean_line

MAX_PARTS, MAX_PART = 100, 100
MAX_NAME = MAX_TITLE - MAX_PART - 2
"""Of a party: behind it and a colon, every title fits."""


class Arrangement(Struct, frozen=True):
    """Which title each hangout of a party is for, as it should be."""

    parts: dict[str, int]
    """By hangout: the number of its title; only of those that have not begun."""
    surplus: list[str]
    """Those for which no title is left."""
    next_part: int
    """The title that comes after the last of them."""


def clean_parts(typed: Iterable[str]) -> list[str]:
    """Returns the titles of a party as they are kept; none where nothing was typed."""
    parts = [one for line in typed if (one := clean_line(line))]
    if len(parts) > MAX_PARTS:
        raise InvalidField("parts", f"A watch party has at most {MAX_PARTS} titles.")
    if len(parts) == 1:
        raise InvalidField("parts", "A watch party needs two titles or more.")
    return [_shortened(one, MAX_PART) for one in parts]


def party_title(name: str, part: str) -> str:
    """Returns what the hangout of a title is called."""
    return f"{_shortened(name, MAX_NAME)}: {part}"


def arrange(hangouts: Sequence[Hangout], number: int, now: float) -> Arrangement:
    """Returns the titles of a party in the order of its dates; what is cancelled has none.

    What has begun keeps its own, so that nobody's memory is rewritten. Equal hangouts always
    give an equal result, however often it is computed.
    """
    parts: dict[str, int] = {}
    surplus: list[str] = []
    following = 0
    for one in sorted(hangouts, key=lambda one: one.occurrence or ""):
        if one.cancelled_at is not None:
            continue
        if one.start_timestamp is not None and one.start_timestamp <= now:
            following = max(following, (following if one.part is None else one.part) + 1)
        elif following < number:
            parts[one.hangout_id] = following
            following += 1
        else:
            surplus.append(one.hangout_id)
    return Arrangement(parts, surplus, following)


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
