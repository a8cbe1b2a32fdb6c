"""Parts of home: what a room adds to “what is up with us” for a person, declared."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from commonroom.store import Ref

if TYPE_CHECKING:
    from commonroom.http.request import Request

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")


class HomeAction(Struct, frozen=True, kw_only=True):
    """Something that is done in one tap: a form that only has a button.

    It is sent to a form of the room itself, with the key of its card as `home`, so that this
    answers by `joins.home_actions.answer_on_home`.
    """

    label: str
    action: str
    values: Mapping[str, str] = {}
    icon: str = ""
    is_main: bool = False
    """Whether it is what most people will do."""

    def values_on(self, card: str) -> dict[str, str]:
        """Returns what its form sends from a card."""
        return {**self.values, "home": card}


class HomeCard(Struct, frozen=True, kw_only=True):
    """One thing on home: a row with what it is about, where it leads, and what can be done."""

    key: str
    """No other card on home has it (`card_key`); it is the id of its element."""
    icon: str
    title: str
    line: str = ""
    address: str
    """The page about it."""
    link: str = ""
    """The label of a button that leads there, where the action needs a page of its own."""
    actions: Sequence[HomeAction] = ()
    at: float | None = None
    """When it begins, or until when it is to be done: the earliest comes first, then those without.
    What comes up always has one."""
    tag: str = ""
    """A word or two about its state, such as an answer that was given."""
    is_late: bool = False


class Featured(Struct, frozen=True, kw_only=True):
    """Something that a room shows in its own way; its template finds `data` as `featured`."""

    template: str
    data: Any
    style: str | None = None
    """The style sheet that it needs."""


class HomeSection(Struct, frozen=True, kw_only=True):
    """Cards under a heading of a room, such as what is lent; not shown without any."""

    key: str
    """The id of its element."""
    title: str
    cards: Sequence[HomeCard]


class HomePart(Struct, frozen=True, kw_only=True):
    """All that a room has to say on a person's home; what it does not have, it leaves out."""

    needs: Sequence[HomeCard] = ()
    """What waits for them."""
    coming: Sequence[HomeCard] = ()
    """What they are part of in the next seven days."""
    featured: Featured | None = None
    sections: Sequence[HomeSection] = ()
    """What it shows under headings of its own."""
    version: str = ""
    """What `HomeSource.version` gave in this moment."""


class HomeFind(Struct, frozen=True):
    """What a room has found out, and what is still to be read: that of all rooms in one request."""

    show: Callable[[Sequence[Any]], HomePart]
    """Makes the part of what was read by `refs`, in their order; None for what is not there."""
    refs: Sequence[Ref[Any]] = ()
    """A dozen or two at the most: all rooms together have a hundred."""


Version: TypeAlias = Callable[["Request"], Awaitable[str]]


class HomeSource(Struct, frozen=True, kw_only=True):
    """Finds what a room has to say to the caller, and looks at everything anew.

    `find` returns None where there is nothing; it states its store requests, and a test holds them.
    It is asked for a managed member, too (`request.caller.member`), where `for_children` says so:
    then it gives what they may vote on, rate or answer, and nothing else.
    """

    find: Callable[[Request], Coroutine[Any, Any, HomeFind | None]]
    for_children: bool = False
    version: Version | None = None
    """Returns what changes whenever the part does, for pages that are open; it may be called at any
    time after the request. What people are told of changes home anyway."""


def card_key(kind: str, *ids: str) -> str:
    """Returns the key of a card about something, safe as an element's id."""
    return _UNSAFE.sub("-", "-".join((kind, *ids)))
