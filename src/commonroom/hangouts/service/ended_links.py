"""Ended links: a timer of the same write tells a link's maker that another person ended it."""

from __future__ import annotations

from collections.abc import Iterable

from commonroom.store import Write, put
from commonroom.timers import timer

LINK_ENDED = "hangouts.link-ended"


def notice_writes(now: float, makers: Iterable[str | None], by: str, **about: str) -> list[Write]:
    """Timers that tell the makers of links, other than who ended them; `about` says what of."""
    others = sorted({one for one in makers if one is not None and one != by})
    return [put(timer(LINK_ENDED, now, {**about, "user_id": one})) for one in others]
