"""Ids of things: what can be one."""

from __future__ import annotations

MAX_ID = 100


def is_id(text: str) -> bool:
    """Returns whether something can be an id: it may come from an address, and goes into a key."""
    return 0 < len(text) <= MAX_ID and text.isprintable() and "#" not in text
