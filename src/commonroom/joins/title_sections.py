"""Sections of a title's page: what a room adds to it, declared."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from commonroom.http.request import Request
    from commonroom.titles.service import FoundTitle
    from commonroom.titles.titles import TitleFacts, TitleId

T = TypeVar("T")

Place: TypeAlias = Literal["beside", "below"]


class KeptTitleSource(Struct, frozen=True):
    """A room that keeps something of titles which the catalogue may not know any longer."""

    find: Callable[[Request, TitleId], Coroutine[Any, Any, TitleFacts | None]]
    """Returns what it has kept of a title for the caller."""


async def read_nothing(request: Request, title: TitleId) -> None:
    """Reads nothing: for a section that depends on what is known of the title."""


class TitleSection(Struct, Generic[T], frozen=True, kw_only=True):
    """A part of the page of every film and show.

    What sections read by key is one request for all of them while the title is read, and one more
    after that (`Store.gather_batched`); their queries are requests of their own, which they state.
    """

    name: str
    template: str
    prepare: Callable[[Request, TitleId], Coroutine[Any, Any, T]]
    """Reads what depends on the id alone, while the title itself is read; it may not be there."""
    load: Callable[[Request, FoundTitle, T], Coroutine[Any, Any, Any]]
    """Returns what the template shows as `section`, by what was prepared.

    None where there is nothing to show to the caller; guests are asked for, too.
    """
    place: Place = "below"
    """Beside the facts at a desk, or below them; on a phone what is beside comes first."""
    style: str | None = None
    """The style sheet that it needs."""
