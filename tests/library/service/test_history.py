"""The history of an item: loans as pairs, paged, cleared unless it is lent."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.library.service.history import clear_history, see_history
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Book, Library, LoanEvent
from commonroom.store import Store, counting
from tests.accounts.people import DAY, Meanwhile, Watch
from tests.library.bookcase import book_of, check_bookcases, everything_of


@pytest.fixture
async def book(store: Store, clock: Watch, ada: User, home: Library) -> Book:
    """A book that was lent five times, to somebody new each time for a day longer."""
    book = await book_of(store, clock, ada, home, "Angelo")
    for n in range(1, 6):
        await lend(Context(store, ada, clock()), home.library_id, book.item_id, to=f"Ben {n}")
        clock.forward(n * DAY)
        await return_item(Context(store, ada, clock()), home.library_id, book.item_id)
    return book


async def test_is_of_pairs_the_newest_first_with_how_long_each_lasted(
    store: Store, ada: User, home: Library, book: Book
) -> None:
    seen = await see_history(Context(store, ada), home.library_id, book.item_id)
    assert [(one.borrower, round(one.lasted or 0)) for one in seen.loans] == [
        (f"Ben {n}", n * DAY) for n in (5, 4, 3, 2, 1)
    ]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 50])
@pytest.mark.parametrize("lent", [False, True], ids=["all back", "one away"])
async def test_tells_every_loan_once_wherever_pages_are_cut(
    store: Store, clock: Watch, ada: User, book: Book, *, limit: int, lent: bool
) -> None:
    if lent:
        await lend(Context(store, ada, clock()), book.library_id, book.item_id, to="Ben 6")
    told, cursor = [], None
    while True:
        seen = await see_history(
            Context(store, ada), book.library_id, book.item_id, limit=limit, cursor=cursor
        )
        assert len(seen.loans) <= limit + 1
        told += [one.borrower for one in seen.loans]
        cursor = seen.cursor
        if cursor is None:
            break
    assert told == [f"Ben {n}" for n in range(5 + lent, 0, -1)]


async def test_takes_three_requests(store: Store, ada: User, book: Book) -> None:
    with counting() as tally:
        await see_history(Context(store, ada), book.library_id, book.item_id)
    assert tally.reads == 3


async def test_is_the_owners_alone(
    store: Store, clock: Watch, ada: User, ben: User, book: Book
) -> None:
    await share(Context(store, ada, clock()), book.library_id, "ben@example.org")
    with pytest.raises(NotFound):
        await see_history(Context(store, ben), book.library_id, book.item_id)
    with pytest.raises(NotFound):
        await clear_history(Context(store, ben), book.library_id, book.item_id)


async def test_has_pages_of_1_to_50(store: Store, ada: User, book: Book) -> None:
    for limit in (0, 51):
        with pytest.raises(InvalidField):
            await see_history(Context(store, ada), book.library_id, book.item_id, limit=limit)


class TestClearing:
    async def test_forgets_everything(
        self, store: Store, clock: Watch, ada: User, book: Book
    ) -> None:
        for _ in range(60):
            await lend(Context(store, ada, clock()), book.library_id, book.item_id, to="Ben")
            await return_item(Context(store, ada, clock()), book.library_id, book.item_id)
        await clear_history(Context(store, ada), book.library_id, book.item_id)
        assert await everything_of(store.engine, LoanEvent) == []

    async def test_is_refused_while_it_is_lent(
        self, store: Store, clock: Watch, ada: User, book: Book
    ) -> None:
        await lend(Context(store, ada, clock()), book.library_id, book.item_id, to="Ben")
        with pytest.raises(Conflict, match="Ben"):
            await clear_history(Context(store, ada), book.library_id, book.item_id)
        assert len(await everything_of(store.engine, LoanEvent)) == 11

    async def test_is_refused_where_it_is_lent_in_that_moment(
        self, store: Store, clock: Watch, ada: User, book: Book
    ) -> None:
        lent = Meanwhile(
            store,
            lambda: lend(Context(store, ada, clock()), book.library_id, book.item_id, to="Ben"),
            before_writing=LoanEvent,
        )
        with pytest.raises(Conflict, match="Ben"):
            await clear_history(Context(lent, ada), book.library_id, book.item_id)
        await check_bookcases(store.engine)
