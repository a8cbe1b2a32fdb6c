"""Kinds of notifications: each room declares its own, with the words for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

Facts: TypeAlias = Mapping[str, str]
"""What a notification's words are made of, such as the names of people and things."""


class Words(Struct, frozen=True):
    """A notification as somebody reads it."""

    title: str
    text: str


class Preference(Struct, frozen=True):
    """Something that people choose to hear of or not; texts are translated when they are shown."""

    name: str
    """Under which a person's choice is stored in their `notification_prefs`."""
    label: str
    help: str


class Kind(Struct, frozen=True):
    """One kind of notification. Its words are written for whoever reads, in their language."""

    name: str
    title: Callable[[Facts], str]
    text: Callable[[Facts], str]
    preference: Preference | None = None
    """What turns it off; None where nothing does."""

    def words(self, facts: Facts) -> Words:
        """The words, in the language that is spoken now."""
        return Words(self.title(facts), self.text(facts))
