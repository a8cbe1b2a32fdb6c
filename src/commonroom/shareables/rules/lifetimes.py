"""How long a page lives: the days that were chosen, and an event until after its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from commonroom.moments import iso, seconds

Days: TypeAlias = Literal[1, 7, 30]

DAY = 24 * 3600
AFTER_EVENT = 7 * DAY
"""How long people find an event's page after it is over."""
KEPT_DAYS = 365
"""How long an admin can still see and clone a page that is closed."""


def lifetime(now: float, days: int, page: Mapping[str, Any]) -> dict[str, Any]:
    """When a page with these fields closes, and when the database removes it."""
    closes = now + days * DAY
    if (over := page.get("end_time") or page.get("start_time")) is not None:
        closes = max(closes, seconds(over) + AFTER_EVENT)
    return closing_at(closes)


def lifetime_after_edit(expires_at: str, page: Mapping[str, Any]) -> dict[str, Any]:
    """The same after the times of an event were edited: later where they are, never earlier."""
    before = seconds(expires_at)
    after = lifetime(before, 0, page)
    return after if seconds(after["expires_at"]) > before else {}


def closing_at(closes: float) -> dict[str, Any]:
    """The fields of a page that closes then."""
    return {"expires_at": iso(closes), "ttl": int(closes) + KEPT_DAYS * DAY}
