"""Moments as they are stored: ISO 8601 in UTC, to the millisecond, so that they sort as text."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(at: float) -> str:
    """Seconds since 1970 as text, such as `2026-05-31T18:00:00.000Z`."""
    moment = datetime.fromtimestamp(at, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds(moment: str) -> float:
    """The same text as seconds since 1970."""
    return datetime.fromisoformat(moment).timestamp()
