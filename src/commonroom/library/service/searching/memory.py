"""The card indexes that a process remembers: a few libraries, those that were searched last."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias
from weakref import WeakValueDictionary

from msgspec import Struct

from commonroom.library.rules.searching import Cards
from commonroom.library.tables import Library

MOST_LIBRARIES = 200
MOST_ITEMS = 50_000
"""Somewhat over half a kilobyte each."""
MOST_READINGS = 4
"""How many owners' titles are read at once; others wait for their turn."""
LONGEST_SECONDS = 600.0
"""For what no mark tells, such as data that was imported or restored from elsewhere."""
UNSETTLED_SECONDS = 1.0
"""For what an index may not have shown yet."""

Place: TypeAlias = tuple[str, str]


class Kept(Struct, frozen=True):
    """A library's cards, as of its mark and for some time."""

    cards: Cards
    mark: int
    until: float


class Memory:
    """What was read lately; of a library that changed since, nothing is known."""

    def __init__(
        self,
        *,
        most_libraries: int = MOST_LIBRARIES,
        most_items: int = MOST_ITEMS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._most_libraries = most_libraries
        self._most_items = most_items
        self._clock = clock
        self._kept: dict[Place, Kept] = {}
        self._few = asyncio.Semaphore(MOST_READINGS)
        self._readers: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def cards(self, library: Library) -> Cards | None:
        """The cards of a library as it is now; None where they have to be read."""
        place = _place(library)
        kept = self._kept.get(place)
        if kept is None or kept.mark != library.titles_changed or kept.until <= self._clock():
            return None
        self._kept[place] = self._kept.pop(place)  # so that it becomes the newest
        return kept.cards

    @asynccontextmanager
    async def reading(self, owner_id: str) -> AsyncIterator[float]:
        """Lets one at a time read an owner's titles; gives the moment at which that begins."""
        lock = self._readers.setdefault(owner_id, asyncio.Lock())
        async with lock, self._few:
            yield self._clock()

    def keep(self, library: Library, cards: Cards, *, settled: bool = True) -> None:
        """Remembers what was read of a library after it was seen with its mark."""
        seconds = LONGEST_SECONDS if settled else UNSETTLED_SECONDS
        self._kept.pop(_place(library), None)
        kept = Kept(cards, library.titles_changed, self._clock() + seconds)
        self._kept[_place(library)] = kept
        self._forget()

    def _forget(self) -> None:
        """Those that were not asked for longest; the newest stays, however large it is."""
        items = sum(len(kept.cards) for kept in self._kept.values())
        while len(self._kept) > 1 and (
            len(self._kept) > self._most_libraries or items > self._most_items
        ):
            items -= len(self._kept.pop(next(iter(self._kept))).cards)


def _place(library: Library) -> Place:
    return library.owner_id, library.library_id
