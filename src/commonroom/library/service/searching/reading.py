"""Reading what a library's items are found by."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from commonroom.library.rules.searching import Card, Cards
from commonroom.library.service.searching.memory import Memory
from commonroom.library.tables import Book, Library, Video, collections, items_by_title
from commonroom.moments import seconds
from commonroom.store import Store

AT_ONCE = 250
"""Few enough that others need not wait; there is one request for each so many."""
LAG_SECONDS = 5.0
"""How long an index may take to show what was written."""
MOST_TITLES = 100_000
"""Of one owner; search does not find what comes after them in the alphabet."""


async def cards_of(store: Store, memory: Memory, libraries: Sequence[Library]) -> list[Cards]:
    """The cards of libraries as they are, remembered or read.

    An owner's titles are in one partition of the index, so they are read for all at once.
    """
    known = {one.library_id: memory.cards(one) for one in libraries}
    unknown = [one for one in libraries if known[one.library_id] is None]
    for owner_id in dict.fromkeys(one.owner_id for one in unknown):
        theirs = [one for one in unknown if one.owner_id == owner_id]
        async with memory.reading(owner_id) as now:
            known |= {one.library_id: memory.cards(one) for one in theirs}
            left = [one for one in theirs if known[one.library_id] is None]
            for library, read in await _read(store, left):
                memory.keep(library, read, settled=_settled(store, library, now))
                known[library.library_id] = read
    return [cards for one in libraries if (cards := known[one.library_id]) is not None]


def _settled(store: Store, library: Library, now: float) -> bool:
    """Whether an index that was read at this moment showed everything.

    An engine that numbers its changes shows them at once; others are given some time.
    """
    if library.titles_changed_at is None or store.engine.change_number() is not None:
        return True
    return now - seconds(library.titles_changed_at) >= LAG_SECONDS


async def _read(store: Store, libraries: Sequence[Library]) -> list[tuple[Library, Cards]]:
    """Cards of libraries of one owner, made in a thread: others go on meanwhile."""
    if not libraries:
        return []
    names = {
        one.collection_id: one.name
        for library in libraries
        async for one in store.all(
            collections(owner_id=library.owner_id, library_id=library.library_id)
        )
    }
    cards: dict[str, list[Card]] = {one.library_id: [] for one in libraries}
    number = 0
    async for item in store.all(items_by_title(owner_id=libraries[0].owner_id), limit=AT_ONCE):
        number += 1
        if number > MOST_TITLES:
            break
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
        if item.library_id in cards:
            cards[item.library_id].append(_card(item, names))
    return [
        (one, await asyncio.to_thread(Cards, one.library_id, cards[one.library_id]))
        for one in libraries
    ]


def _card(item: Book | Video, names: dict[str, str]) -> Card:
    """By the name that its collection has now: the item's copy of it follows a moment later."""
    makers = item.authors if isinstance(item, Book) else (*item.directors, *item.cast)
    people = (*makers, *item.contributors)
    labels = (*item.tags, item.publisher) if item.publisher else tuple(item.tags)
    collection = None if item.collection_id is None else names.get(item.collection_id)
    return Card(item.type, item.item_id, item.title, collection, people, labels)
