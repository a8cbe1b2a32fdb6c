"""Counts: a library and its collections have as many items as they say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from hashlib import blake2b
from typing import TypeAlias

from msgspec import Struct

from commonroom.library.tables import Collection, Library, collections, items_in_library
from commonroom.store import Entity, Store, as_read, update
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.each import find_each
from commonroom.store.checking.snapshots import look_twice

COLLECTIONS = 1000
"""How many collections are counted at a time, so that no library takes more room than that."""


class Members(Struct):
    """What is in a collection."""

    count: int = 0
    last: int = 0
    """The last whole place that is taken."""


class LibraryCounts(Struct):
    """What a look through a library found, and a mark by which two looks can be compared."""

    items: int
    lent: int
    members: dict[str, Members]
    mark: bytes


Seen: TypeAlias = tuple[Sequence[Library | Collection], LibraryCounts]


class LibraryCountCheck:
    """Counts what is in each library, page by page of its collections."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Which counts are wrong in these libraries."""
        found = [it.entity for it in things if isinstance(it.entity, Library)]
        async for problem in find_each(store, _miscounted, found):
            yield problem


async def _miscounted(store: Store, library: Library) -> list[Problem]:
    key = {"owner_id": library.owner_id, "library_id": library.library_id}
    problems: list[Problem] = []
    cursor, first = None, True
    while first or cursor is not None:
        page = await store.page(collections(**key), limit=COLLECTIONS, cursor=cursor)
        counted: list[Library | Collection] = [*([library] if first else []), *page.items]
        problems += await _compared(store, library, counted)
        cursor, first = page.cursor, False
    return problems


async def _compared(
    store: Store, library: Library, counted: Sequence[Library | Collection]
) -> list[Problem]:
    """What counts wrong, of a library and some of its collections.

    Everything else about items changes their version, and items are read one after the other. So
    what two looks see alike was so all the time between them.
    """

    async def look() -> Seen:
        there = await _now(store, counted)
        return there, await _take_snapshot(store, library, there)

    first = counted, await _take_snapshot(store, library, counted)
    return await look_twice(first, look, lambda seen: _wrong(*seen))


async def _take_snapshot(
    store: Store, library: Library, counted: Sequence[Library | Collection]
) -> LibraryCounts:
    members = {one.collection_id: Members() for one in counted if isinstance(one, Collection)}
    items = lent = 0
    mark = blake2b(digest_size=16)
    asked = items_in_library(owner_id=library.owner_id, library_id=library.library_id)
    async for one in store.all(asked):
        items += 1
        lent += one.lent_to is not None
        mark.update(f"{one.item_id}#{one.version}#".encode())
        within = members.get(one.collection_id or "")
        if within is not None:
            within.count += 1
            if isinstance(one.order, int):  # what stands between two has no place of its own
                within.last = max(within.last, one.order)
    return LibraryCounts(items, lent, members, mark.digest())


async def _now(store: Store, counted: Sequence[Library | Collection]) -> list[Library | Collection]:
    found: list[Entity | None] = await store.batch_get([one.ref for one in counted])
    return [one for one in found if isinstance(one, Library | Collection)]


def _wrong(counted: Sequence[Library | Collection], seen: LibraryCounts) -> Iterator[Problem]:
    for one in counted:
        problem = _library(one, seen) if isinstance(one, Library) else _collection(one, seen)
        if problem is not None:
            yield problem


def _library(library: Library, seen: LibraryCounts) -> Problem | None:
    if (library.total_items, library.lent_items) == (seen.items, seen.lent):
        return None
    detail = (
        f"Its count says {library.total_items} items, {library.lent_items} of them lent, "
        f"but it has {seen.items}, {seen.lent} of them lent."
    )
    # Adding, removing, lending or returning changes what is held: if it is as it was, so is
    # the difference.
    held = as_read(library, "total_items", "lent_items")
    repair = update(library.ref, total_items=seen.items, lent_items=seen.lent, if_=held)
    return Problem.of("counts", library, detail, repair)


def _collection(collection: Collection, seen: LibraryCounts) -> Problem | None:
    members, last = seen.members[collection.collection_id], collection.last_order or 0
    if collection.item_count == members.count and last >= members.last:
        return None
    detail = (
        f"Its count says {collection.item_count} items, the last at place {last}, but it "
        f"has {members.count}, the last at place {members.last}."
    )
    held = as_read(collection, "item_count", "last_order")
    last_order = max(last, members.last) or None
    repair = update(collection.ref, item_count=members.count, last_order=last_order, if_=held)
    return Problem.of("counts", collection, detail, repair)
