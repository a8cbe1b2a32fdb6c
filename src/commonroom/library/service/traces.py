"""Traces of an item elsewhere: its loan's timer and pointer, and what clears up behind it."""

from __future__ import annotations

from commonroom.library.tables import Book, BorrowedItem, MovedItem, Video, owner_id_of
from commonroom.moments import seconds
from commonroom.store import Write, delete, put
from commonroom.timers import Timer, timer

OVERDUE = "library.overdue"
CLEAR_HISTORY = "library.clear-history"
CARRY_HISTORY = "library.carry-history"


def loan_noted(item: Book | Video) -> list[Write]:
    """What is written beside an item that is lent: where its borrower finds it, and its timer."""
    return [*(put(one) for one in _pointer(item)), *(put(one) for one in _timer(item))]


def loan_forgotten(item: Book | Video) -> list[Write]:
    """What is taken away again when a loan ends, however it does."""
    return [*(delete(one) for one in _pointer(item)), *(delete(one) for one in _timer(item))]


def timer_changed(old: Book | Video, new: Book | Video) -> list[Write]:
    """What is written when a loan is due at another moment."""
    before, after = _timer(old), _timer(new)
    if [one.ref.key for one in before] == [one.ref.key for one in after]:
        return [put(one) for one in after]
    return [*(delete(one) for one in before), *(put(one) for one in after)]


def history_to_clear(now: float, item: Book | Video) -> list[Write]:
    """That the history of an item that goes is cleared, however much of it there is."""
    libraries = {item.library_id, item.moved_from or item.library_id}
    return [put(timer(CLEAR_HISTORY, now, _about(item) | {"library_id": one})) for one in libraries]


def history_to_carry(now: float, item: Book | Video) -> list[Write]:
    """That the history of an item that moved is carried after it, should this be interrupted."""
    if item.moved_from is None:
        return []
    here = _about(item)
    left = MovedItem(**here | {"library_id": item.moved_from}, moved_to=item.library_id)
    return [put(timer(CARRY_HISTORY, now, here)), put(left)]


def history_carried(item: Book | Video) -> list[Write]:
    """What is taken away when all of it has come."""
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
    """The same timer wherever the item is moved: it is known by the loan."""
    if item.overdue_at is None or item.lent_at is None:
        return []
    about = _about(item) | {"lent_at": item.lent_at}
    loan = f"{item.owner_id}/{item.item_id}/{item.lent_at}"
    return [timer(OVERDUE, seconds(item.overdue_at), about, id=loan)]


def _about(item: Book | Video) -> dict[str, str]:
    return {
        "owner_id": item.owner_id,
        "library_id": item.library_id,
        "item_id": item.item_id,
    }
