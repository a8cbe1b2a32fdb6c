"""Kinds of results: how documents are shown, and what a room lets only some people find."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from commonroom.search.documents import Document, Searchable
from commonroom.search.hits import IndexHit
from commonroom.search.marking import TextSpan
from commonroom.store import Entity

if TYPE_CHECKING:
    from commonroom.http.request import Request


class SearchResultCard(Struct, frozen=True, kw_only=True):
    """One thing that was found, as a page shows it."""

    title: Sequence[TextSpan]
    address: str
    line: str = ""
    """What is said of it."""
    snippet: Sequence[TextSpan] = ()
    """What matched besides the title."""
    data: Any = None
    """What the template of its picture needs."""
    picture: str = ""
    """The template of its picture, where it is not that of its group."""
    element: str = ""
    """As its card has it."""


class SearchHit(Struct, frozen=True, kw_only=True):
    """A document that was found by a caller who may see it."""

    request: Request
    kind: SearchKind
    hit: IndexHit
    thing: Entity | None = None
    """What it is made of as it is stored now; None where it is not read again."""
    common: frozenset[str] = frozenset()
    """By which tokens of its audience the caller has found it."""

    @property
    def document(self) -> Document:
        """The document."""
        return self.hit.document


class ResultCard(Struct, frozen=True):
    """What a result shows of a document besides its title."""

    line: str = ""
    data: Any = None
    element: str = ""
    """Of a title: what its marks are shown in, once they are there."""


class SearchKind(Struct, frozen=True, kw_only=True, eq=False):
    """A kind of documents, found by everybody, or by those whom each is for."""

    searchable: Searchable
    name: str
    """What several of them are called; translated when it is shown."""
    picture: str
    """The template that draws one, given its `result`."""
    card: Callable[[SearchHit], ResultCard]
    styles: str = ""
    """The style sheet that the picture needs."""
    shown_as: str = ""
    """The kind among whose results they are shown, where it is not their own."""
    is_person: bool = False
    """Whether they are people: one result each, however often they are found; oneself is none."""
    address: Callable[[SearchHit], str] | None = None
    """Where a result leads, where that depends on who asks."""

    @property
    def kind(self) -> str:
        """What programs and chips call it."""
        return self.shown_as or self.searchable.kind


PrivateSearch: TypeAlias = "Callable[[Request, str, int], Awaitable[Sequence[SearchResultCard]]]"
"""Finds so many things for a text that the caller may see, the best first."""


class SearchSource(Struct, frozen=True, kw_only=True, eq=False):
    """What a room finds by itself, for people who have an account: only what each may see."""

    kind: str
    name: str
    picture: str
    search: PrivateSearch
    more: str
    """The page that finds more of it, given the text as `q`."""
    styles: str = ""
