"""What can be found: films and shows, and what every room adds, in one index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from commonroom.catalog.search_documents import FILMS, SHOWS
from commonroom.house.rooms import ROOMS
from commonroom.search.documents import Searchable
from commonroom.search.indexing import Indexer
from commonroom.search.opening import open_index
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.web.rooms import Room, joined


def searchables(rooms: Sequence[Room] = ROOMS) -> list[Searchable]:
    """All that becomes documents, also of rooms that are switched off."""
    declared = [[FILMS, SHOWS], *(room.search_documents for room in rooms)]
    return list(
        joined("kind of documents", [{one.kind: one for one in some} for some in declared]).values()
    )


@asynccontextmanager
async def open_indexer(
    settings: Settings,
    store: Store,
    rooms: Sequence[Room] = ROOMS,
    *,
    only_reading: bool = False,
) -> AsyncIterator[Indexer]:
    """What keeps the index of an installation."""
    index = open_index(settings, only_reading=only_reading)
    try:
        yield Indexer(store, index, searchables(rooms))
    finally:
        await index.close()
