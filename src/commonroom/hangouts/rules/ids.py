"""Ids: in the order of time where lists are sorted by them."""

from __future__ import annotations

import os
from hashlib import blake2b
from uuid import UUID, uuid4


def time_ordered_id(now: float) -> str:
    """Returns a UUID of version 7: later ones sort after earlier ones, to the millisecond."""
    return str(_version_7(int(now * 1000), int.from_bytes(os.urandom(10))))


def _version_7(milliseconds: int, chance: int) -> UUID:
    number = milliseconds << 80 | chance
    number = number & ~(0xF << 76) | 7 << 76
    number = number & ~(0x3 << 62) | 2 << 62
    return UUID(int=number)


def occurrence_id(series_id: str, day: str) -> str:
    """Returns the id of a series' hangout of a date: always the same, and as old as the series."""
    chance = int.from_bytes(blake2b(f"{series_id} {day}".encode(), digest_size=10).digest())
    made = UUID(series_id).int >> 80
    return str(_version_7(made, chance))


def new_id() -> str:
    """Returns an id in no order."""
    return str(uuid4())
