"""Items: each is in a library, in a collection that is there, with the records it should have.

Records that items leave elsewhere go when they do: events, codes, pointers.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeAlias

from commonroom.accounts.tables import User
from commonroom.library.rules.items import ALONE, code_of
from commonroom.library.service.item_writes import (
    carry_history_later,
    code_deletes,
    code_writes,
    history_moved,
    loan_deletes,
)
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Collection,
    ItemCode,
    Library,
    LoanEvent,
    MovedItem,
    Video,
    libraries_by_name,
    owner_id_of,
)
from commonroom.store import (
    Entity,
    Ref,
    Write,
    absent,
    as_read,
    check,
    delete,
    new,
    put,
    stored,
    update,
)
from commonroom.store.checking.related import (
    RelatedItems,
    RelatedProblem,
    Rule,
    Unreadable,
)

Record: TypeAlias = LoanEvent | ItemCode | MovedItem | BorrowedItem


async def _check_item(item: Book | Video, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    library = await found.at(_library(item))
    if library is None:
        yield _without_library(item)
        return  # all else goes with it
    for problem in _account(item, library):
        yield problem
    for look in (_in_collection, _code, _borrower, _history):
        async for problem in look(item, found):
            yield problem


def _without_library(item: Book | Video) -> RelatedProblem:
    """A library goes only when it is deleted, and then everything in it does."""
    repair = [
        check(_library(item), if_=new),
        delete(item, if_=as_read(item, "version", "moved_from")),
        *code_deletes(item),
        *loan_deletes(item),
        *history_moved(item),
    ]
    return RelatedProblem("orphans", f"The library of “{item.title}” was deleted.", repair)


def _account(item: Book | Video, library: object) -> Iterator[RelatedProblem]:
    if isinstance(library, Library) and library.account_id != item.account_id:
        repair = update(item, account_id=library.account_id, owner_name=library.owner_name)
        held = check(library, if_=as_read(library, "account_id"))
        yield RelatedProblem(
            "orphans", "It belongs to another account than its library.", [held, repair]
        )


async def _in_collection(item: Book | Video, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if item.collection_id is None:
        if item.order is not None:
            repair = update(item, order=None, if_=absent("collection_id"))
            yield RelatedProblem(
                "orphans", f"It has the number {item.order}, but no collection.", [repair]
            )
    elif await found.at(_collection(item)) is None:
        gone = check(_collection(item), if_=new)
        detail = f"Its collection “{item.collection_name}” was deleted."
        yield RelatedProblem("orphans", detail, [gone, update(item, **ALONE)])


async def _code(item: Book | Video, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    code = code_of(item)
    if code is not None and await found.at(ItemCode.at(**_key(item), code=code)) is None:
        detail = f"It cannot be found by its code {code}."
        yield RelatedProblem("codes", detail, [_same(item), *code_writes(item)])


async def _borrower(item: Book | Video, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    """A borrower with an account finds what they borrowed by a pointer."""
    if item.borrower_id is None:
        return
    borrower = User.at(user_id=item.borrower_id)
    account, pointer = await found.each([borrower, _borrowed(item)])
    if account is None:
        gone = check(borrower, if_=new)
        repair = [gone, update(item, borrower_id=None), delete(_borrowed(item))]
        yield RelatedProblem("loans", f"The account of {item.lent_to} was deleted.", repair)
    elif not (isinstance(pointer, BorrowedItem) and pointer.library_id == item.library_id):
        there = check(borrower, if_=stored)
        expected = BorrowedItem(
            borrower_id=owner_id_of(item.borrower_id), **_key(item), type=item.type
        )
        detail = f"It is missing from what {item.lent_to} borrowed."
        yield RelatedProblem("loans", detail, [_same(item), there, put(expected)])


async def _history(item: Book | Video, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    """What waits for its history says so in the library that it left."""
    if item.moved_from is not None and await found.at(_moved(item)) is None:
        held = check(item, if_=as_read(item, "version", "moved_from"))
        detail = "It waits for its history to be moved, but the move is gone."
        yield RelatedProblem("history", detail, [held, *carry_history_later(time.time(), item)])


def _same(item: Book | Video) -> Write:
    return check(item, if_=as_read(item, "version"))


def _key(item: Book | Video) -> dict[str, str]:
    return {"owner_id": item.owner_id, "library_id": item.library_id, "item_id": item.item_id}


def _library(item: Book | Video) -> Ref[Library]:
    return Library.at(owner_id=item.owner_id, library_id=item.library_id)


def _collection(item: Book | Video) -> Ref[Collection]:
    return Collection.at(
        owner_id=item.owner_id, library_id=item.library_id, collection_id=item.collection_id
    )


def _borrowed(item: Book | Video) -> Ref[BorrowedItem]:
    borrower_id = owner_id_of(item.borrower_id or "")
    return BorrowedItem.at(borrower_id=borrower_id, item_id=item.item_id)


def _moved(item: Book | Video) -> Ref[MovedItem]:
    return MovedItem.at(**_key(item) | {"library_id": item.moved_from or ""})


async def _check_event(event: LoanEvent, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    """An event whose item moved waits to be carried after it."""
    if any(await found.each([_item(event), _move_of(event)])):
        return
    # Where nothing says here that it moved, it may still wait: the item's check repairs that.
    elsewhere = await _elsewhere(found, event)
    if not any(one.moved_from == event.library_id for one in elsewhere):
        useless = _useless(event, "orphans", "It belongs to an item that was deleted.", None)
        stayed = check(_move_of(event), if_=new)
        yield RelatedProblem(useless.check, useless.detail, [*useless.repair, stayed])


async def _check_code(code: ItemCode, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    item = await found.at(_item(code))
    if item is None or (isinstance(item, Book | Video) and code_of(item) != code.code):
        yield _useless(code, "codes", f"No item has the code {code.code} here.", item)


async def _check_moved(moved: MovedItem, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    item = await found.at(_item(moved))
    if item is None or (isinstance(item, Book | Video) and item.moved_from != moved.library_id):
        yield _useless(moved, "history", "No item waits for a history from here.", item)


async def _check_borrowed(
    borrowed: BorrowedItem, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    """A pointer that is right but for the library is repaired with the item."""
    item = await found.at(_item(borrowed))
    if isinstance(item, Unreadable) or (isinstance(item, Book | Video) and _has(item, borrowed)):
        return
    elsewhere = await _elsewhere(found, borrowed)
    if not any(_has(one, borrowed) for one in elsewhere):
        yield _useless(borrowed, "loans", "It points to an item that they do not have.", item)


async def _elsewhere(found: RelatedItems, record: LoanEvent | BorrowedItem) -> list[Book | Video]:
    """The item, wherever it is in the owner's libraries."""
    refs: list[Ref[Any]] = [
        Book.at(owner_id=one.owner_id, library_id=one.library_id, item_id=record.item_id)
        async for one in found.store.all(libraries_by_name(owner_id=record.owner_id))
    ]
    return [one for one in await found.each(refs) if isinstance(one, Book | Video)]


def _has(item: Book | Video, borrowed: BorrowedItem) -> bool:
    return item.borrower_id is not None and owner_id_of(item.borrower_id) == borrowed.borrower_id


def _useless(record: Record, kind: str, detail: str, item: object) -> RelatedProblem:
    """A record that goes, if the item is as it was found: gone, or another."""
    if isinstance(item, Book | Video):
        held = check(item, if_=as_read(item, "version", "moved_from"))
    else:
        held = check(_item(record), if_=new)
    return RelatedProblem(
        kind, detail, [held, delete(record, if_=as_read(record, *record.schema.attributes))]
    )


def _item(record: Record) -> Ref[Book]:
    """Where the item is; a video would be at the same place."""
    there = record.moved_to if isinstance(record, MovedItem) else record.library_id
    return Book.at(owner_id=record.owner_id, library_id=there, item_id=record.item_id)


def _move_of(event: LoanEvent) -> Ref[MovedItem]:
    return MovedItem.at(owner_id=event.owner_id, library_id=event.library_id, item_id=event.item_id)


RULES: dict[type[Entity], Rule] = {
    Book: _check_item,
    Video: _check_item,
    LoanEvent: _check_event,
    ItemCode: _check_code,
    MovedItem: _check_moved,
    BorrowedItem: _check_borrowed,
}
