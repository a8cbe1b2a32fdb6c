"""A person about whom much is up: loans due, things borrowed, lists followed."""

from __future__ import annotations

import time
from datetime import date, timedelta

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.rules.loans import today
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library
from commonroom.library.service.loans import lend
from commonroom.library.tables import Book, BorrowedItem, owner_id_of
from commonroom.moments import iso
from commonroom.store import Store, Write, create
from commonroom.watchlists.tables import SavedWatchlist, Watchlist


async def write_all(store: Store, writes: list[Write]) -> None:
    """Writes any number of things."""
    for start in range(0, len(writes), 100):
        await store.write(*writes[start : start + 100])


def due_in(person: User, days: int) -> str:
    """A day, so many days from today where a person lives."""
    day = date.fromisoformat(today(time.time(), person)) + timedelta(days)
    return day.isoformat()


async def lent_book(
    store: Store, owner: User, title: str, *, days: int, to: User | None = None
) -> Book:
    """A book that is lent and due in so many days, to somebody by name or with an account."""
    ctx = Context(store, owner, time.time())
    library = await create_library(ctx, name=title[:20])
    book = (await add_item(ctx, library.library_id, kind=Book, given={"title": title})).item
    place = (ctx, library.library_id, book.item_id)
    name, email = ("Tom", None) if to is None else (to.display_name, to.email)
    await lend(*place, to=name, due=due_in(owner, days), email=email, past_due=True)
    assert isinstance(book, Book)
    return book


async def fill_shelves(store: Store, owner: User, borrower: User, number: int) -> None:
    """So many books that the owner has lent and are overdue, all of them to one account."""
    books = [
        Book(
            owner_id=owner_id_of(owner.user_id),
            library_id="attic",
            item_id=f"book-{n:04d}",
            account_id=owner.user_id,
            title=f"Book {n}",
            lent_to=borrower.display_name,
            lent_at=iso(0),
            due_date="2020-01-01",
            borrower_id=borrower.user_id,
        )
        for n in range(number)
    ]
    pointers = [
        BorrowedItem(
            borrower_id=owner_id_of(borrower.user_id),
            owner_id=one.owner_id,
            library_id=one.library_id,
            item_id=one.item_id,
            type=0,
        )
        for one in books
    ]
    await write_all(store, [create(one) for one in (*books, *pointers)])


async def follow_lists(store: Store, person: User, number: int, *, new: int = 3) -> None:
    """So many lists that a person follows, each with something new."""
    made = iso(time.time())
    lists = [
        Watchlist(
            watchlist_id=f"list-{n:04d}",
            curator_id="maya",
            curator_name="Maya",
            title=f"List {n}",
            item_count=9,
            added_count=9,
            created_at=made,
            updated_at=made,
        )
        for n in range(number)
    ]
    saved = [
        SavedWatchlist(
            user_id=person.user_id,
            watchlist_id=one.watchlist_id,
            saved_at=made,
            seen_additions=one.added_count - new,
        )
        for one in lists
    ]
    await write_all(store, [create(one) for one in (*lists, *saved)])
