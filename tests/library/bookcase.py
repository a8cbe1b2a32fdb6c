"""People and libraries for the tests of the library, and what must always be true of them."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.accounts.tables import tables as accounts
from commonroom.library.checks import ORPHANS, checks
from commonroom.library.room import LIBRARY
from commonroom.library.rules.items import code_of
from commonroom.library.service.collections import create_collection
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Collection,
    CollectionName,
    ItemCode,
    Library,
    LoanEvent,
    MovedItem,
    SharedLibrary,
    Video,
    media,
    owner_id_of,
)
from commonroom.library.tables import tables as room
from commonroom.notifications.tables import tables as notify
from commonroom.store import Entity, Store
from commonroom.store.checking import CopyCheck, Grace, KeyCheck, ReportedProblem, check_store
from commonroom.store.engine import Engine
from commonroom.store.streams import Worker, copy_consumers
from commonroom.store.streams.tables import tables as streams
from commonroom.store.values import Item
from commonroom.timers import Scheduler
from commonroom.timers.tables import tables as timers
from tests.accounts.people import Watch
from tests.support import people

E = TypeVar("E", bound=Entity)

TABLES = [*room, *accounts, *notify, *streams, *timers]
COPIES = [copy for table in TABLES for copy in table.copies if copy.on[0].schema.table is media]
ISBN = "9780261103252"


somebody = people.somebody


async def library_of(store: Store, clock: Watch, person: User, name: str = "Home") -> Library:
    """A library of somebody's."""
    return await create_library(Context(store, person, clock()), name=name)


async def collection_of(
    store: Store, clock: Watch, person: User, library: Library, name: str
) -> Collection:
    """A collection in somebody's library."""
    return await create_collection(Context(store, person, clock()), library.library_id, name=name)


async def book_of(
    store: Store, clock: Watch, person: User, library: Library, title: str, **given: Any
) -> Book:
    """A book in somebody's library."""
    kept = await add_item(
        Context(store, person, clock()),
        library.library_id,
        kind=Book,
        given={"title": title, **given},
    )
    assert isinstance(kept.item, Book)
    return kept.item


async def video_of(
    store: Store, clock: Watch, person: User, library: Library, title: str, **given: Any
) -> Video:
    """A video in somebody's library."""
    kept = await add_item(
        Context(store, person, clock()),
        library.library_id,
        kind=Video,
        given={"title": title, **given},
    )
    assert isinstance(kept.item, Video)
    return kept.item


async def now_of(store: Store, thing: E) -> E:
    """The same thing as it is stored now."""
    found = await store.get(thing.ref)
    assert found is not None
    return found


async def tidied(store: Store, clock: Watch) -> None:
    """Lets everybody who follows changes do so, and what is due be done."""
    worker = Worker(store, [*copy_consumers(COPIES), *LIBRARY.data.consumers], clock=clock)
    clockwork = Scheduler(store, LIBRARY.data.timer_handlers, clock=clock)
    while await worker.drain() + await clockwork.once():
        pass


async def everything_of(engine: Engine, *kinds: type[E]) -> list[E]:
    """All things of these kinds."""
    found: list[E] = []
    for table in {kind.schema.table.name: kind.schema.table for kind in kinds}.values():
        here = {kind.schema.kind: kind for kind in kinds if kind.schema.table is table}
        start: Item | None = None
        while True:
            rows = await engine.scan(table, limit=1000, start=start)
            for item in rows.items:
                kind = here.get(item.get(table.discriminator or ""))
                found += [] if kind is None else [kind.from_item(item)]
            start = rows.next
            if start is None:
                break
    return found


async def left_of_room(engine: Engine) -> dict[str, int]:
    """How many things of each kind there are in the room."""
    kinds = list(media.entities.values())
    return dict(Counter(type(one).__name__ for one in await everything_of(engine, *kinds)))


async def drift(
    store: Store, *, repair: bool = False, grace: Grace | None = None
) -> list[ReportedProblem]:
    """What `commonroom check` finds wrong, and what it mends where it may."""
    reported: list[ReportedProblem] = []
    await check_store(
        store,
        [media],
        [KeyCheck(), CopyCheck(COPIES, ORPHANS), *checks()],
        repair=repair,
        report=reported.append,
        progress=lambda *_: None,
        grace=grace,
    )
    return reported


async def check_bookcases(engine: Engine, *, tidy: bool = True) -> None:
    """What must be true of all libraries; of what is cleared up later, only where tidy."""
    libraries = {one.library_id: one for one in await everything_of(engine, Library)}
    collections = {one.collection_id: one for one in await everything_of(engine, Collection)}
    items: list[Book | Video] = [
        *await everything_of(engine, Book),
        *await everything_of(engine, Video),
    ]
    for library in libraries.values():
        inside = [one for one in items if one.library_id == library.library_id]
        assert library.total_items == len(inside), "the count of items is exact"
        assert library.lent_items == sum(one.lent_to is not None for one in inside)
    for collection in collections.values():
        members = [one for one in items if one.collection_id == collection.collection_id]
        if collection.library_id in libraries:
            assert collection.item_count == len(members), "the count of members is exact"
            whole = [one.order for one in members if isinstance(one.order, int)]
            assert max(whole, default=0) <= (collection.last_order or 0)
    await _check_names(engine, collections)
    await _check_shares(engine, libraries, tidy=tidy)
    await _check_loans(engine, items)
    if tidy:
        await _check_nothing_left(engine, libraries, collections, items)


async def _check_names(engine: Engine, collections: dict[str, Collection]) -> None:
    claims = await everything_of(engine, CollectionName)
    for one in claims:
        named = collections.get(one.collection_id)
        if named is not None:
            assert named.name == one.name, "a claim is to the name that the collection has"
    assert {one.collection_id for one in claims} == collections.keys()


async def _check_shares(engine: Engine, libraries: dict[str, Library], *, tidy: bool) -> None:
    pointers = await everything_of(engine, SharedLibrary)
    pointed = {(one.library_id, one.shared_to_id) for one in pointers}
    if not tidy:
        pointed = {(library, person) for library, person in pointed if library in libraries}
    shared = {(one.library_id, to) for one in libraries.values() for to in one.shared_to_ids}
    assert pointed == shared, "a library and its pointers say the same"


async def _check_loans(engine: Engine, items: list[Book | Video]) -> None:
    events = await everything_of(engine, LoanEvent)
    for item in items:
        own = [one for one in events if one.item_id == item.item_id]
        own.sort(key=lambda one: one.updated_at)
        kinds = [one.type for one in own]
        assert kinds == [("LENT", "RETURNED")[n % 2] for n in range(len(kinds))], "in turns"
        if item.lent_to is not None:
            assert (own[-1].type, own[-1].event) == ("LENT", item.lent_to)
        elif own:
            assert own[-1].type == "RETURNED"


async def _check_nothing_left(
    engine: Engine,
    libraries: dict[str, Library],
    collections: dict[str, Collection],
    items: list[Book | Video],
) -> None:
    places = {(one.library_id, one.item_id) for one in items}
    assert {one.library_id for one in items} <= libraries.keys(), "no item without its library"
    assert {one.library_id for one in collections.values()} <= libraries.keys()
    events = await everything_of(engine, LoanEvent)
    assert {(one.library_id, one.item_id) for one in events} <= places, "no event without its item"
    assert {one.collection_id for one in items} <= {None, *collections}, "no orphans"
    assert all((one.order is None) is (one.collection_id is None) for one in items)
    assert await everything_of(engine, MovedItem) == []
    assert all(one.moved_from is None for one in items)
    codes = {
        (one.library_id, one.item_id, one.code) for one in await everything_of(engine, ItemCode)
    }
    assert codes == {
        (one.library_id, one.item_id, code) for one in items if (code := code_of(one)) is not None
    }
    borrowed = {
        (one.borrower_id, one.library_id, one.item_id)
        for one in await everything_of(engine, BorrowedItem)
    }
    assert borrowed == {
        (owner_id_of(one.borrower_id), one.library_id, one.item_id)
        for one in items
        if one.borrower_id is not None
    }
