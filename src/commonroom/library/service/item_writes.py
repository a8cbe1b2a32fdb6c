"""What is written beside an item: its code, its loan's timer and pointer, the search version."""

from __future__ import annotations

from typing import Any

from commonroom.library.rules.items import code_of
from commonroom.library.rules.search import search_entry
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    ItemCode,
    Library,
    MovedItem,
    Video,
    item,
    items_with_code,
    owner_id_of,
)
from commonroom.moments import iso, seconds
from commonroom.store import Store, Write, add, delete, put, stored, update
from commonroom.timers import Timer, timer

MAX_NAMED = 5
OVERDUE = "library.overdue"
CLEAR_HISTORY = "library.clear-history"
CARRY_HISTORY = "library.carry-history"


def code_writes(new: Book | Video) -> list[Write]:
    """Returns what is written with a new item."""
    return [put(one) for one in codes_of(new)]


def code_deletes(old: Book | Video) -> list[Write]:
    """Returns what is written with an item that goes."""
    return [delete(one) for one in codes_of(old)]


def code_changes(old: Book | Video, new: Book | Video) -> list[Write]:
    """Returns what is written with an item that changes."""
    return [] if codes_of(old) == codes_of(new) else [*code_deletes(old), *code_writes(new)]


async def same_works(store: Store, kept: Book | Video) -> list[Book | Video]:
    """Other items of its library that are the same work, a few of them.

    Asked after an item was written, so that of two added at once one is told of the other.
    """
    found: list[Book | Video] = []
    for own in codes_of(kept):
        key = {"owner_id": own.owner_id, "library_id": own.library_id}
        page = await store.page(items_with_code(**key, code=own.code), limit=MAX_NAMED + 1)
        others = [one.item_id for one in page.items if one.item_id != own.item_id]
        there = [await store.get(item(**key, item_id=one)) for one in others[:MAX_NAMED]]
        found += [one for one in there if one is not None]
    return found


def codes_of(of: Book | Video) -> list[ItemCode]:
    """Returns the record by which an item is found by its code; none where it has none."""
    code = code_of(of)
    if code is None:
        return []
    key = {"owner_id": of.owner_id, "library_id": of.library_id, "item_id": of.item_id}
    return [ItemCode(**key, code=code)]


def next_search_version(now: float) -> dict[str, Any]:
    """Returns what changes of a library with an item that comes, goes or changes."""
    return {"titles_changed": add(1), "titles_changed_at": iso(now)}


def search_version_changes(
    now: float, library: Library, old: Book | Video, new: Book | Video
) -> list[Write]:
    """Returns what is written with an item that changes: nothing where it is found as before."""
    before, after = (search_entry(one, one.collection_id) for one in (old, new))
    return [] if before == after else [update(library.ref, **next_search_version(now), if_=stored)]


def raise_search_version(library: Library) -> Write:
    """What is written with a collection that has another name, or none; no index shows that."""
    return update(library.ref, titles_changed=add(1), if_=stored)


def loan_writes(item: Book | Video) -> list[Write]:
    """What is written beside an item that is lent: where its borrower finds it, and its timer."""
    return [*(put(one) for one in _pointer(item)), *(put(one) for one in _timer(item))]


def loan_deletes(item: Book | Video) -> list[Write]:
    """Returns what is taken away again when a loan ends, however it does."""
    return [*(delete(one) for one in _pointer(item)), *(delete(one) for one in _timer(item))]


def timer_changes(old: Book | Video, new: Book | Video) -> list[Write]:
    """Returns what is written when a loan is due at another moment."""
    before, after = _timer(old), _timer(new)
    if [one.ref.key for one in before] == [one.ref.key for one in after]:
        return [put(one) for one in after]
    return [*(delete(one) for one in before), *(put(one) for one in after)]


def clear_history_later(now: float, item: Book | Video) -> list[Write]:
    """That the history of an item that goes is cleared, however much of it there is."""
    libraries = {item.library_id, item.moved_from or item.library_id}
    return [put(timer(CLEAR_HISTORY, now, _about(item) | {"library_id": one})) for one in libraries]


def carry_history_later(now: float, item: Book | Video) -> list[Write]:
    """That the history of an item that moved is carried after it, should this be interrupted."""
    if item.moved_from is None:
        return []
    here = _about(item)
    left = MovedItem(**here | {"library_id": item.moved_from}, moved_to=item.library_id)
    return [put(timer(CARRY_HISTORY, now, here)), put(left)]


def history_moved(item: Book | Video) -> list[Write]:
    """Returns what is taken away when all of it has come."""
    if item.moved_from is None:
        return []
    here = _about(item)
    return [delete(MovedItem.at(**here | {"library_id": item.moved_from}))]


def _pointer(item: Book | Video) -> list[BorrowedItem]:
    if item.borrower_id is None:
        return []
    pointer = BorrowedItem(
        borrower_id=owner_id_of(item.borrower_id),
        owner_id=item.owner_id,
        library_id=item.library_id,
        item_id=item.item_id,
        type=item.type,
    )
    return [pointer]


def _timer(item: Book | Video) -> list[Timer]:
    """Returns a timer that stays wherever the item is moved: its key is the loan."""
    if item.overdue_at is None or item.lent_at is None:
        return []
    about = _about(item) | {"lent_at": item.lent_at}
    loan = f"{item.owner_id}/{item.item_id}/{item.lent_at}"
    return [timer(OVERDUE, seconds(item.overdue_at), about, id=loan)]


def _about(item: Book | Video) -> dict[str, str]:
    return {"owner_id": item.owner_id, "library_id": item.library_id, "item_id": item.item_id}
