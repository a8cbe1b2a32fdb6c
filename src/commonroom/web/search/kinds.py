"""Kinds of results: how documents are shown, and what a room lets only some people find."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from commonroom.search.documents import Document, Searchable
from commonroom.search.marking import Part

if TYPE_CHECKING:
    from commonroom.web.request import Request


class Result(Struct, frozen=True, kw_only=True):
    """One thing that was found, as a page shows it."""

    title: Sequence[Part]
    address: str
    line: str = ""
    """What is said of it."""
    snippet: Sequence[Part] = ()
    """What matched besides the title."""
    data: Any = None
    """What the template of its picture needs."""


class Card(Struct, frozen=True):
    """What a result shows of a document besides its title."""

    line: str = ""
    data: Any = None


class SearchKind(Struct, frozen=True, kw_only=True, eq=False):
    """A kind of documents that everybody can find."""

    searchable: Searchable
    name: str
    """What several of them are called; translated when it is shown."""
    picture: str
    """The template that draws one, given its `result`."""
    card: Callable[[Document], Card]
    styles: str = ""
    """The style sheet that the picture needs."""

    @property
    def kind(self) -> str:
        """What programs call it."""
        return self.searchable.kind


PrivateSearch: TypeAlias = "Callable[[Request, str, int], Awaitable[Sequence[Result]]]"
"""Finds so many things for a text that whoever asks may see, the best first."""


class SearchSource(Struct, frozen=True, kw_only=True, eq=False):
    """What a room finds by itself, for people who have an account: only what each may see."""

    kind: str
    name: str
    picture: str
    search: PrivateSearch
    more: str
    """The page that finds more of it, given the text as `q`."""
    styles: str = ""
