"""Parts of a person's page: what a room says that the reader shares with them, declared."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import Struct

if TYPE_CHECKING:
    from commonroom.accounts.tables import User
    from commonroom.http.request import Request


class SharedThing(Struct, frozen=True, kw_only=True):
    """One thing that is shared with a person."""

    title: str
    line: str = ""
    moment: str | None = None
    """When it was, to be written for the reader."""
    address: str | None = None
    """The page about it; None where the reader has none to see."""
    tag: str = ""
    is_late: bool = False


class PersonPart(Struct, frozen=True, kw_only=True):
    """Things of one kind, under one heading; never without a row."""

    title: str
    icon: str
    rows: Sequence[SharedThing]
    introduces: bool = True
    """Whether it makes the two known to each other: without such a part there is no page. What
    everybody may see of a person does not."""


class PersonSource(Struct, frozen=True):
    """A room that adds to the page of a person with whom the reader shares something."""

    parts: Callable[[Request, User], Coroutine[Any, Any, Sequence[PersonPart]]]
    """Returns what the reader shares with a person; it states its store requests, and a test holds
    them. It decides itself what the reader may know."""


def person_address(user_id: str) -> str:
    """Returns the page about a person, for those who share something with them."""
    return f"/people/{quote(user_id, safe='')}"
