"""Ids: in the order of time where lists are sorted by them."""

from __future__ import annotations

import os
from uuid import UUID, uuid4

LONGEST_ID = 100


def time_ordered_id(now: float) -> str:
    """A UUID of version 7: later ones sort after earlier ones, to the millisecond."""
    number = int(now * 1000) << 80 | int.from_bytes(os.urandom(10))
    number = number & ~(0xF << 76) | 7 << 76
    number = number & ~(0x3 << 62) | 2 << 62
    return str(UUID(int=number))


def new_id() -> str:
    """An id in no order."""
    return str(uuid4())


def is_id(text: str) -> bool:
    """Whether something can be an id: it may come from an address, and goes into a key."""
    return 0 < len(text) <= LONGEST_ID and text.isprintable() and "#" not in text
