"""Kinds of notifications: each room declares its own, with the words for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

Facts: TypeAlias = Mapping[str, str]
"""What a notification's words are made of, such as the names of people and things."""


class Words(Struct, frozen=True):
    """A notification as somebody reads it."""

    title: str
    text: str


class Kind(Struct, frozen=True):
    """One kind of notification. Its words are written for whoever reads, in their language."""

    name: str
    title: Callable[[Facts], str]
    text: Callable[[Facts], str]
    preference: Literal["vote_nudge", "pick_announce", "new_round"] | None = None
    """What of a person's `notification_prefs` turns it off; None where nothing does."""

    def words(self, facts: Facts) -> Words:
        """The words, in the language that is spoken now."""
        return Words(self.title(facts), self.text(facts))
