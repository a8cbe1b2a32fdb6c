"""How long the texts of lists are, as far as files must know."""

from __future__ import annotations

LONGEST_TITLE = 100
LONGEST_DESCRIPTION = 1000
LONGEST_NOTE = 1000
LONGEST_TAG = 50
MOST_TAGS = 20
MOST_ITEMS = 500
LONGEST_ID = 100


def is_id(text: str) -> bool:
    """Whether something can be an id: it may come from a file, and goes into a key."""
    return 0 < len(text) <= LONGEST_ID and text.isprintable() and "#" not in text
