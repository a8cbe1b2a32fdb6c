"""Dates in the past: legitimate to note down, and mostly a slip, so they are asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonroom.moments import iso
from commonroom.shareables.errors import DateInPast
from commonroom.shareables.tables import Checklist, Event, Poll

ASKED = ("start_time", "rsvp_deadline", "closes_at")
"""What is about to happen on a page; an end follows from its start."""


def past_dates(
    now: float, fields: Mapping[str, Any], before: Checklist | Event | Poll | None = None
) -> list[str]:
    """Which dates among these fields are in the past; not those that stood there before."""
    return [
        name
        for name in ASKED
        if (moment := fields.get(name)) is not None
        and moment <= iso(now)
        and moment != getattr(before, name, None)
    ]


def check_dates(
    now: float,
    fields: Mapping[str, Any],
    before: Checklist | Event | Poll | None = None,
    *,
    confirm_past: bool,
) -> None:
    """Asks about dates in the past, unless they are confirmed."""
    if not confirm_past and (past := past_dates(now, fields, before)):
        raise DateInPast(past[0])


def outdated(now: float, page: Checklist | Event | Poll) -> list[str]:
    """Which dates a page like this one cannot have again."""
    return past_dates(now, {name: getattr(page, name, None) for name in ASKED})
