"""Records that items leave elsewhere, and that go when they do: events, codes, pointers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeAlias

from commonroom.library.checking.references import Fault, Found, Rule, Unreadable, as_read, look
from commonroom.library.rules.items import code_of
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Event,
    ItemCode,
    MovedItem,
    Video,
    libraries_by_name,
    owner_id_of,
)
from commonroom.store import Ref, Store, check, delete, new

Trace: TypeAlias = Event | ItemCode | MovedItem | BorrowedItem


def _refers(trace: Trace) -> Iterator[Ref[Any]]:
    yield _item(trace)


def _event_refers(event: Event) -> Iterator[Ref[Any]]:
    yield _item(event)
    yield _moved(event)


async def _judge_event(event: Event, found: Found) -> AsyncIterator[Fault]:
    """An event whose item moved waits to be carried after it."""
    if found.at(_item(event)) is not None or found.at(_moved(event)) is not None:
        return
    # Where nothing says here that it moved, it may still wait for this: that is the item's to mend.
    elsewhere = await _elsewhere(found.store, event)
    if not any(one.moved_from == event.library_id for one in elsewhere):
        useless = _useless(event, "orphans", "It belongs to an item that was deleted.", None)
        stayed = check(_moved(event), if_=new)
        yield Fault(useless.check, useless.detail, [*useless.repair, stayed])


async def _judge_code(code: ItemCode, found: Found) -> AsyncIterator[Fault]:
    item = found.at(_item(code))
    if item is None or (isinstance(item, Book | Video) and code_of(item) != code.code):
        yield _useless(code, "codes", f"No item has the code {code.code} here.", item)


async def _judge_moved(moved: MovedItem, found: Found) -> AsyncIterator[Fault]:
    item = found.at(_item(moved))
    if item is None or (isinstance(item, Book | Video) and item.moved_from != moved.library_id):
        yield _useless(moved, "history", "No item waits for a history from here.", item)


async def _judge_borrowed(borrowed: BorrowedItem, found: Found) -> AsyncIterator[Fault]:
    """A pointer that is right but for the library is the item's to mend."""
    item = found.at(_item(borrowed))
    if isinstance(item, Unreadable) or (isinstance(item, Book | Video) and _has(item, borrowed)):
        return
    elsewhere = await _elsewhere(found.store, borrowed)
    if not any(_has(one, borrowed) for one in elsewhere):
        yield _useless(borrowed, "loans", "It points to an item that they do not have.", item)


async def _elsewhere(store: Store, trace: Event | BorrowedItem) -> list[Book | Video]:
    """The item, wherever it is in the owner's libraries."""
    places: list[Ref[Any]] = [
        Book.at(owner_id=one.owner_id, library_id=one.library_id, item_id=trace.item_id)
        async for one in store.all(libraries_by_name(owner_id=trace.owner_id))
    ]
    found = await look(store, places)
    items = (found.at(place) for place in places)
    return [one for one in items if isinstance(one, Book | Video)]


def _has(item: Book | Video, borrowed: BorrowedItem) -> bool:
    return item.borrower_id is not None and owner_id_of(item.borrower_id) == borrowed.borrower_id


def _useless(trace: Trace, kind: str, detail: str, item: object) -> Fault:
    """A trace that goes, if the item is as it was found: gone, or another."""
    if isinstance(item, Book | Video):
        held = check(item, if_=as_read(item, "version", "moved_from"))
    else:
        held = check(_item(trace), if_=new)
    return Fault(kind, detail, [held, delete(trace, if_=as_read(trace, *trace.schema.attributes))])


def _item(trace: Trace) -> Ref[Book]:
    """Where the item is; a video would be at the same place."""
    there = trace.moved_to if isinstance(trace, MovedItem) else trace.library_id
    return Book.at(owner_id=trace.owner_id, library_id=there, item_id=trace.item_id)


def _moved(event: Event) -> Ref[MovedItem]:
    return MovedItem.at(owner_id=event.owner_id, library_id=event.library_id, item_id=event.item_id)


EVENT = Rule(_event_refers, _judge_event)
CODE = Rule(_refers, _judge_code)
MOVED = Rule(_refers, _judge_moved)
BORROWED = Rule(_refers, _judge_borrowed)
