"""Loans: everything that a person has lent, and everything that they have borrowed."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.library.rules.lending import is_overdue, today
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Video,
    borrowed_items,
    loans,
    owner_id_of,
)
from commonroom.store import Ref, Store


class Lent(Struct, frozen=True):
    """Something that is lent."""

    item: Book | Video
    is_overdue: bool


class Borrowed(Struct, frozen=True):
    """Something that somebody has borrowed: all that they are told of it."""

    item_id: str
    title: str
    picture_url: str | None
    owner_name: str | None
    lent_at: str | None
    due_date: str | None
    is_overdue: bool


class LentSeen(Struct, frozen=True):
    """A page of what is lent."""

    lent: list[Lent]
    cursor: str | None


class BorrowedSeen(Struct, frozen=True):
    """A page of what is borrowed."""

    borrowed: list[Borrowed]
    cursor: str | None


async def lent_by_me(
    store: Store, now: float, person: User, *, limit: int = 50, cursor: str | None = None
) -> LentSeen:
    """What a person has lent from all their libraries, the earliest due first: one request."""
    asked = loans(owner_id=owner_id_of(person.user_id))
    page = await store.page(asked, limit=limit, cursor=cursor)
    day = today(now, person)
    return LentSeen([Lent(one, is_overdue(one, day)) for one in page.items], page.cursor)


async def borrowed_by_me(
    store: Store, now: float, person: User, *, limit: int = 50, cursor: str | None = None
) -> BorrowedSeen:
    """What others have lent to a person's account: two requests."""
    asked = borrowed_items(borrower_id=owner_id_of(person.user_id))
    page = await store.page(asked, limit=limit, cursor=cursor)
    found = await store.batch_get([_place(one) for one in page.items])
    day = today(now, person)
    # Only what says so itself: between the two requests it may have been returned.
    mine = [one for one in found if one is not None and one.borrower_id == person.user_id]
    return BorrowedSeen([_told(one, day) for one in mine], page.cursor)


def _place(pointer: BorrowedItem) -> Ref[Book | Video]:
    kind = Book if pointer.type == 0 else Video
    return kind.at(
        owner_id=pointer.owner_id, library_id=pointer.library_id, item_id=pointer.item_id
    )


def _told(item: Book | Video, day: str) -> Borrowed:
    return Borrowed(
        item.item_id,
        item.title,
        item.picture_url,
        item.owner_name,
        item.lent_at,
        item.due_date,
        is_overdue(item, day),
    )
