"""A cache of search indexes: those of the libraries that were searched last, in one process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from msgspec import Struct

from commonroom.http.request import Request
from commonroom.library.rules.search import SearchEntry, search_entry
from commonroom.library.rules.search_index import LibrarySearchIndex
from commonroom.library.service.library_key_cache import (
    LAG_SECONDS,
    UNSETTLED_SECONDS,
    LibraryKey,
    LibraryKeyCache,
)
from commonroom.library.tables import Library, collections, items_by_title
from commonroom.moments import seconds
from commonroom.store import Store

MAX_BYTES = 64 * 1024 * 1024
"""What all indexes may take in memory: 250,000 books and more, or 100,000 films."""
MAX_READINGS = 4
"""How many owners' titles are read at once; others wait for their turn."""
WORK_SECONDS, PAUSE_SECONDS = 0.001, 0.0002
"""How long building works until it rests, and rests, so that who waits for Python's lock gets it.

By itself Python would let others wait for five milliseconds each time, and a request waits often.
"""
MAX_SECONDS = 600.0
"""For what no mark tells, such as data that was imported or restored from elsewhere."""

BATCH = 250
"""Few enough that others need not wait; there is one request for each so many."""
MAX_TITLES = 100_000
"""Of one owner; search does not find what comes after them in the alphabet."""


class CachedIndex(Struct, frozen=True):
    """A library's index, as of its mark and for some time."""

    index: LibrarySearchIndex
    mark: int
    until: float


class SearchCache:
    """What was read lately; of a library that changed since, nothing is known."""

    def __init__(
        self,
        *,
        most_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._most_bytes = most_bytes
        self._clock = clock
        self._kept: dict[LibraryKey, CachedIndex] = {}
        self.library_keys = LibraryKeyCache(clock)
        self._few = asyncio.Semaphore(MAX_READINGS)
        self._building = asyncio.Lock()
        self._readers: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def get(self, library: Library) -> LibrarySearchIndex | None:
        """Returns the index of a library as it is now; None where it has to be read."""
        key = _key(library)
        kept = self._kept.get(key)
        if kept is None or kept.mark != library.titles_changed or kept.until <= self._clock():
            return None
        self._kept[key] = self._kept.pop(key)  # so that it becomes the newest
        return kept.index

    def peek(self, owner_id: str, library_id: str) -> LibrarySearchIndex | None:
        """The index of a library as it was when last read: for a guess that is checked after."""
        kept = self._kept.get((owner_id, library_id))
        return None if kept is None else kept.index

    @asynccontextmanager
    async def reading(self, owner_id: str) -> AsyncIterator[float]:
        """Lets one at a time read an owner's titles; gives the moment at which that begins."""
        lock = self._readers.setdefault(owner_id, asyncio.Lock())
        async with lock, self._few:
            yield self._clock()

    async def build(self, library_id: str, entries: Sequence[SearchEntry]) -> LibrarySearchIndex:
        """An index, made in a thread that leaves most of the time to others; one after another."""
        async with self._building:
            return await asyncio.to_thread(LibrarySearchIndex, library_id, entries, _pauses())

    def put(self, library: Library, index: LibrarySearchIndex, *, settled: bool = True) -> None:
        """Remembers what was read of a library after it was seen with its mark."""
        seconds = MAX_SECONDS if settled else UNSETTLED_SECONDS
        self._kept.pop(_key(library), None)
        kept = CachedIndex(index, library.titles_changed, self._clock() + seconds)
        self._kept[_key(library)] = kept
        self._forget()

    def _forget(self) -> None:
        """Those that were not asked for longest; the newest stays, however large it is."""
        taken = sum(kept.index.bytes for kept in self._kept.values())
        while len(self._kept) > 1 and taken > self._most_bytes:
            taken -= self._kept.pop(next(iter(self._kept))).index.bytes


def _key(library: Library) -> LibraryKey:
    return library.owner_id, library.library_id


def _pauses() -> Callable[[], None]:
    """Returns a function that lets others have their turn, if they have not had one for a while."""
    worked_since = time.perf_counter()

    def pause() -> None:
        nonlocal worked_since
        if time.perf_counter() - worked_since >= WORK_SECONDS:
            time.sleep(PAUSE_SECONDS)
            worked_since = time.perf_counter()

    return pause


async def indexes_of(
    store: Store, cache: SearchCache, libraries: Sequence[Library]
) -> list[LibrarySearchIndex]:
    """Returns the search indexes of libraries as they are, cached or read.

    An owner's titles are in one partition of the index, so they are read for all at once.
    """
    known = {one.library_id: cache.get(one) for one in libraries}
    unknown = [one for one in libraries if known[one.library_id] is None]
    for owner_id in dict.fromkeys(one.owner_id for one in unknown):
        theirs = [one for one in unknown if one.owner_id == owner_id]
        async with cache.reading(owner_id) as now:
            known |= {one.library_id: cache.get(one) for one in theirs}
            left = [one for one in theirs if known[one.library_id] is None]
            for library, read in await _read(store, cache, left):
                cache.put(library, read, settled=_is_settled(store, library, now))
                known[library.library_id] = read
    return [index for one in libraries if (index := known[one.library_id]) is not None]


def _is_settled(store: Store, library: Library, now: float) -> bool:
    """Returns whether an index that was read at this moment showed everything.

    An engine that numbers its changes shows them at once; others are given some time.
    """
    if library.titles_changed_at is None or store.engine.change_number() is not None:
        return True
    return now - seconds(library.titles_changed_at) >= LAG_SECONDS


async def _read(
    store: Store, cache: SearchCache, libraries: Sequence[Library]
) -> list[tuple[Library, LibrarySearchIndex]]:
    """Indexes of libraries of one owner."""
    if not libraries:
        return []
    names = {
        one.collection_id: one.name
        for library in libraries
        async for one in store.all(
            collections(owner_id=library.owner_id, library_id=library.library_id)
        )
    }
    entries: dict[str, list[SearchEntry]] = {one.library_id: [] for one in libraries}
    number = 0
    async for item in store.all(items_by_title(owner_id=libraries[0].owner_id), limit=BATCH):
        number += 1
        if number > MAX_TITLES:
            break
        if number % BATCH == 0:
            await asyncio.sleep(0)
        if item.library_id in entries:
            # By the name that its collection has now: the item's copy of it follows a moment later.
            collection = None if item.collection_id is None else names.get(item.collection_id)
            entries[item.library_id].append(search_entry(item, collection))
    return [(one, await cache.build(one.library_id, entries[one.library_id])) for one in libraries]


def search_cache_of(request: Request) -> SearchCache:
    """Returns the titles that were searched lately; made on the first search."""
    state = request.app.state
    try:
        cache: SearchCache = state.library_search_cache
    except AttributeError:
        cache = state.library_search_cache = SearchCache()
    return cache
