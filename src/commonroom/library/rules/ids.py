"""Ids of libraries, collections and items."""

from __future__ import annotations

from uuid import uuid4

LONGEST_ID = 100


def new_id() -> str:
    """A new one, written as owners' ids are: without dashes, uppercase."""
    return uuid4().hex.upper()


def is_id(text: str) -> bool:
    """Whether something can be an id: it may come from an address, and goes into a key."""
    return 0 < len(text) <= LONGEST_ID and text.isprintable() and "#" not in text
