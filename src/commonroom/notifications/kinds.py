"""Kinds of notifications: what each says, in texts with gaps for its facts, and what it offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from commonroom.http.words import _, ngettext
from commonroom.notifications.preferences import Preference

Facts: TypeAlias = Mapping[str, str]
"""What a notification's words are made of, such as the names of people and things."""

NAMES = ("who", "owner", "person", "by")
"""The facts that name a person; one who has left has no name any more."""


class Words(Struct, frozen=True):
    """A notification's texts, in its reader's language."""

    title: str
    text: str


class NotificationAction(Struct, frozen=True):
    """One tap that does what a notification asks for: a form of the house, with its values."""

    label: str
    address: str
    values: Mapping[str, str]


class Plural(Struct, frozen=True):
    """A text for one thing and for many, with `%(n)d` for their number."""

    one: str
    many: str
    number: str | None = None
    """The fact that is the number; None for how many notifications are shown as one."""


Text: TypeAlias = str | Plural | Callable[[Facts], str]
"""A text to translate, with gaps such as `%(title)s` for facts; or what writes one."""


class Kind(Struct, frozen=True):
    """One kind of notification. Its texts are written for the reader, in their language."""

    name: str
    title: Text
    text: Text
    preference: Preference | None = None
    """What turns it off; None where nothing does."""
    several: Text | None = None
    """The title of several of them about one thing, with the newest's facts."""
    thing: str | None = None
    """What they are about, with gaps for facts, where that is not the page they lead to."""
    action: Callable[[Facts], NotificationAction | None] | None = None
    """What can be done about it in one tap, while it is unread."""
    passes_quiet_hours: bool = False
    """Whether people want to be woken for it."""

    def words(self, facts: Facts) -> Words:
        """Returns the words, in the language that is spoken now."""
        return Words(say(self.title, facts), say(self.text, facts))


def say(text: Text, facts: Facts, number: int = 1) -> str:
    """Returns a text with its gaps filled in, in the language that is spoken now."""
    if not isinstance(text, str | Plural):
        return text(facts)
    filled = {**facts, **{name: facts.get(name) or _("Someone") for name in NAMES}}
    if isinstance(text, str):
        return _(text) % filled
    n = number if text.number is None else int(facts[text.number])
    return ngettext(text.one, text.many, n) % {**filled, "n": n}
