"""Finding: what is public, by the index, and what whoever asks may see besides, by the rooms."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import CommonroomError
from commonroom.search.hits import Hit
from commonroom.search.index import SearchIndex
from commonroom.search.marking import snippet, title_parts
from commonroom.search.queries import Query
from commonroom.store import Store
from commonroom.store.damage import tolerating_damage
from commonroom.web.request import Request
from commonroom.web.search.kinds import Result, SearchKind, SearchSource

logger = logging.getLogger(__name__)

SOURCE_SECONDS = 5.0
"""How long one room may take: the others are shown then."""

Kinds: TypeAlias = Sequence[SearchKind]


class Group(Struct, frozen=True):
    """What was found of one kind."""

    kind: str
    name: str
    picture: str
    """The template of one's picture."""
    results: Sequence[Result]
    more: str | None = None
    """The page that finds more; None where this one does."""


def kinds_in(request: Request) -> Kinds:
    """The kinds of documents that can be found, of rooms that are open."""
    kinds: Kinds = request.app.state.search_kinds
    return kinds


def sources_in(request: Request) -> Sequence[SearchSource]:
    """What rooms find by themselves for people who have an account."""
    sources: Sequence[SearchSource] = request.app.state.search_sources
    return sources if request.caller.account is not None else ()


async def find_hits(request: Request, query: Query) -> list[Hit]:
    """What the index finds; what can become private only if it is public at this moment.

    One request to the store where there is some of that, none otherwise.
    """
    index: SearchIndex = request.app.state.search
    kinds = {one.kind: one for one in kinds_in(request)}
    wanted = tuple(kind for kind in kinds if not query.kinds or kind in query.kinds)
    if not wanted:
        return []
    hits = await index.search(replace(query, kinds=wanted))
    return await _still_public(request.store, hits, kinds)


async def _still_public(
    store: Store, hits: Sequence[Hit], kinds: dict[str, SearchKind]
) -> list[Hit]:
    """The same hits as they are stored now, without those that are no longer public."""
    declared = {hit.document.key: kinds[hit.document.kind].searchable for hit in hits}
    doubtful = {key: one for key, one in declared.items() if one.can_be_hidden}
    with tolerating_damage():
        stored = await store.batch_get([one.ref(key[1]) for key, one in doubtful.items()])
    documents = {
        key: one.document_of(key[1], thing)
        for (key, one), thing in zip(doubtful.items(), stored, strict=True)
    }
    shown = []
    for hit in hits:
        document = documents.get(hit.document.key, hit.document)
        if document is not None:
            shown.append(replace(hit, document=document))
    return shown


async def find_groups(request: Request, query: Query) -> list[Group]:
    """What was found, by kind, in the order of the house; of what nothing was found is left out."""
    hits, private = await asyncio.gather(
        find_hits(request, query),
        asyncio.gather(*(_ask(request, one, query) for one in _sources(request, query))),
    )
    public = [
        _group(kind, [hit for hit in hits if hit.document.kind == kind.kind])
        for kind in kinds_in(request)
    ]
    return [group for group in (*public, *private) if group.results]


def _sources(request: Request, query: Query) -> list[SearchSource]:
    """Those that are asked: they know of no years and genres."""
    if query.year_from is not None or query.year_to is not None or query.genres:
        return []
    return [one for one in sources_in(request) if not query.kinds or one.kind in query.kinds]


def _group(kind: SearchKind, hits: Sequence[Hit]) -> Group:
    return Group(kind.kind, kind.name, kind.picture, [_result(kind, hit) for hit in hits])


def _result(kind: SearchKind, hit: Hit) -> Result:
    card = kind.card(hit.document)
    return Result(
        title=title_parts(hit),
        address=hit.document.address,
        line=card.line,
        snippet=snippet(hit),
        data=card.data,
    )


async def _ask(request: Request, source: SearchSource, query: Query) -> Group:
    """What a room finds; nothing where it cannot: the others are worth showing."""
    results: Sequence[Result] = ()
    try:
        async with asyncio.timeout(SOURCE_SECONDS):
            results = await source.search(request, query.text, query.limit)
    except (CommonroomError, TimeoutError) as error:
        logger.warning("%s could not be searched: %s", source.kind, type(error).__name__)
    return Group(source.kind, source.name, source.picture, results, source.more)
