"""Calendars: what a room puts into a person's calendar."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.calendars import CalendarEntry
from commonroom.store import Store


class CalendarSource(Struct, frozen=True):
    """What a room knows of a person's days."""

    entries: Callable[[Store, User, float], Coroutine[Any, Any, Sequence[CalendarEntry]]]
    """Returns what was not long ago, is now or comes up for a person."""
