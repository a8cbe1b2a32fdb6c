"""What can be found: films and shows, and what every room adds, in one index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from commonroom.house.rooms import ROOMS
from commonroom.search.documents import Searchable
from commonroom.search.indexing import Indexer
from commonroom.search.opening import open_index
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.identity import identify, read_identity
from commonroom.web.rooms import Room, joined
from commonroom.web.search.house_places import HOUSE_PLACES
from commonroom.web.search.kinds import SearchKind, SearchSource
from commonroom.web.search.people import PEOPLE
from commonroom.web.search.places import SearchPlace
from commonroom.web.search.titles import TITLE_KINDS


def search_kinds(rooms: Sequence[Room]) -> list[SearchKind]:
    """The kinds of documents of these rooms, films and shows first, people last."""
    declared: list[Sequence[SearchKind]] = [
        TITLE_KINDS,
        *(room.search_documents for room in rooms),
        [PEOPLE],
    ]
    by_kind = [{one.searchable.kind: one for one in some} for some in declared]
    return list(joined("kind of documents", by_kind).values())


def search_sources(rooms: Sequence[Room], kinds: Sequence[SearchKind]) -> list[SearchSource]:
    """What these rooms find by themselves; none is called like a kind of documents."""
    declared = [room.search_sources() for room in rooms if room.search_sources]
    found = joined("search source", [{one.kind: one for one in some} for some in declared])
    joined("kind of results", [dict.fromkeys(one.kind for one in kinds), dict.fromkeys(found)])
    return list(found.values())


def search_places(rooms: Sequence[Room]) -> list[SearchPlace]:
    """The places of these rooms, and those that belong to none."""
    return [*(place for room in rooms for place in room.search_places), *HOUSE_PLACES]


def searchables(rooms: Sequence[Room] = ROOMS) -> list[Searchable]:
    """All that becomes documents, also of rooms that are switched off."""
    return [one.searchable for one in search_kinds(rooms)]


@asynccontextmanager
async def open_indexer(
    settings: Settings,
    store: Store,
    rooms: Sequence[Room] = ROOMS,
    *,
    only_reading: bool = False,
) -> AsyncIterator[Indexer]:
    """What keeps the index of an installation."""
    store_id = await (read_identity(store) if only_reading else identify(store))
    index = open_index(settings, store_id, only_reading=only_reading)
    try:
        yield Indexer(store, index, searchables(rooms))
    finally:
        await index.close()
