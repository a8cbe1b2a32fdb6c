"""Hits: documents that were found, and why."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

from msgspec import Struct

from commonroom.search.documents import Document

Alternatives: TypeAlias = tuple[str, ...]
"""A word as it was typed, then what may have been meant by it."""


class Tier(IntEnum):
    """How well a document matches: the lower comes first, whatever its popularity."""

    SAME_TITLE = 0
    TITLE_BEGINS = 1
    IN_TITLE = 2
    IN_NAMES = 3
    FUZZY_TITLE = 4
    """In the title, with typos."""
    IN_TEXT = 5
    FUZZY_NAMES = 6
    FEWER_WORDS = 7
    """All words but one, in the title."""


class IndexHit(Struct, frozen=True):
    """A document that was found."""

    document: Document
    tier: Tier
    beginning: str
    """All letters that were typed."""
    words: tuple[Alternatives, ...]
    """The beginnings of words that match."""
