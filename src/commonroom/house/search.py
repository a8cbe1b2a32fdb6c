"""What can be found: films and shows, and what every room adds, in one index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from commonroom.house.rooms import ROOMS
from commonroom.joins.rooms import Room, joined, offers_of, offers_without_server
from commonroom.joins.search_kinds import SearchKind, SearchSource
from commonroom.joins.search_places import SearchPlace
from commonroom.search.documents import Searchable
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.following import IndexFollower, IndexProgress
from commonroom.search.house_places import HOUSE_PLACES
from commonroom.search.indexing import Indexer
from commonroom.search.keeper import IndexKeeper
from commonroom.search.opening import is_index_per_machine, open_index
from commonroom.search.people import PEOPLE
from commonroom.search.titles import TITLE_KINDS
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.checking import Grace
from commonroom.store.identity import identify, read_identity
from commonroom.store.streams.progress import ConsumerProgress

LAST_SECONDS = 5.0
"""How long what is under way may take when all is to end; what is not done then is done again."""


def search_kinds(rooms: Sequence[Room]) -> list[SearchKind]:
    """Returns the kinds of documents of these rooms, films and shows first, people last."""
    declared: list[Sequence[SearchKind]] = [
        TITLE_KINDS,
        *([one] for one in offers_without_server(rooms, SearchKind)),
        [PEOPLE],
    ]
    by_kind = [{one.searchable.kind: one for one in some} for some in declared]
    return list(joined("kind of documents", by_kind).values())


def search_sources(rooms: Sequence[Room], kinds: Sequence[SearchKind]) -> list[SearchSource]:
    """Returns what these rooms find by themselves; none is called like a kind of documents."""
    found = joined("search source", [{one.kind: one} for one in offers_of(rooms, SearchSource)])
    joined("kind of results", [dict.fromkeys(one.kind for one in kinds), dict.fromkeys(found)])
    return list(found.values())


def search_places(rooms: Sequence[Room]) -> list[SearchPlace]:
    """Returns the places of these rooms, and those that belong to none."""
    return [*offers_of(rooms, SearchPlace), *HOUSE_PLACES]


def searchables(rooms: Sequence[Room] = ROOMS) -> list[Searchable]:
    """Returns all that becomes documents, also of rooms that are switched off."""
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


def index_progress(indexer: Indexer, settings: Settings) -> Grace:
    """Lets a check wait for the process that keeps the index current."""
    if is_index_per_machine(settings) and isinstance(indexer.index, EmbeddedIndex):
        return IndexProgress(indexer, indexer.index)
    return ConsumerProgress(indexer.store, [indexer.consumer])


@asynccontextmanager
async def following_index(
    store: Store, settings: Settings, rooms: Sequence[Room] = ROOMS
) -> AsyncIterator[None]:
    """Keeps an index of this machine meanwhile, where servers do; others leave it to a worker."""
    if not is_index_per_machine(settings):
        yield
        return
    async with open_indexer(settings, store, rooms) as indexer:
        if not isinstance(indexer.index, EmbeddedIndex):
            raise TypeError("An index of a machine is a file.")
        follower, keeper = IndexFollower(indexer, indexer.index), IndexKeeper(indexer)
        tasks = [asyncio.create_task(follower.run()), asyncio.create_task(keeper.run())]
        try:
            yield
        finally:
            follower.stop()
            keeper.stop()
            await asyncio.wait(tasks, timeout=LAST_SECONDS)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
