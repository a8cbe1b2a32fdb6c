"""Moving an item between its owner's libraries: with its history, whatever interrupts it."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, NotFound
from commonroom.library.service.history import clear_history, see_history
from commonroom.library.service.items import delete_item
from commonroom.library.service.libraries import delete_library
from commonroom.library.service.loans import lend, return_item
from commonroom.library.service.moves import EVENTS, move_item
from commonroom.library.tables import Book, Library
from commonroom.store import Store, Write
from commonroom.store.errors import Unavailable
from tests.accounts.people import Watch
from tests.library.bookcase import (
    ISBN,
    book_of,
    check_bookcases,
    collection_of,
    drift,
    left_of_room,
    library_of,
    tidied,
)

LOANS = EVENTS


@pytest.fixture
async def attic(store: Store, clock: Watch, ada: User) -> Library:
    """Another library of Ada's."""
    return await library_of(store, clock, ada, "Attic")


@pytest.fixture
async def book(store: Store, clock: Watch, ada: User, home: Library) -> Book:
    """A book in a collection with a history that no single transaction carries."""
    foo = await collection_of(store, clock, ada, home, "Foo")
    book = await book_of(store, clock, ada, home, "T", isbn=ISBN, collection_id=foo.collection_id)
    for _ in range(LOANS):
        await lend(Context(store, ada, clock()), home.library_id, book.item_id, to="Ben")
        await return_item(Context(store, ada, clock()), home.library_id, book.item_id)
    return book


class Interrupted(Store):
    """A store that can write only so often."""

    def __init__(self, store: Store, writes: int) -> None:
        super().__init__(store.engine)
        self.writes = writes

    async def write(self, *writes: Write) -> None:
        self.writes -= 1
        if self.writes < 0:
            raise Unavailable("Interrupted.")
        await super().write(*writes)


async def loans_in(store: Store, ada: User, library: Library, book: Book) -> int:
    seen = await see_history(Context(store, ada), library.library_id, book.item_id, limit=50)
    return len(seen.loans)


async def interrupted(
    store: Store, clock: Watch, ada: User, book: Book, to: Library, *, writes: int
) -> None:
    with pytest.raises(Unavailable):
        await move_item(
            Context(Interrupted(store, writes), ada, clock()),
            book.library_id,
            book.item_id,
            to=to.library_id,
        )


async def test_takes_the_history_the_loan_and_the_counts_along(
    store: Store, clock: Watch, ada: User, ben: User, *, book: Book, attic: Library
) -> None:
    at = (Context(store, ada, clock()), book.library_id, book.item_id)
    await lend(*at, to="Ben", email="ben@example.org")

    moved = await move_item(*at, to=attic.library_id)

    assert (moved.library_id, moved.library_name) == (attic.library_id, "Attic")
    assert (moved.collection_id, moved.order, moved.lent_to) == (None, None, "Ben")
    await check_bookcases(store.engine)
    assert await loans_in(store, ada, attic, book) == LOANS + 1
    await tidied(store, clock)
    await check_bookcases(store.engine)
    assert await drift(store) == []
    await return_item(Context(store, ada, clock()), attic.library_id, book.item_id)


async def test_can_lead_into_a_collection_there(
    store: Store, clock: Watch, ada: User, *, book: Book, attic: Library
) -> None:
    bar = await collection_of(store, clock, ada, attic, "Bar")
    at = (Context(store, ada, clock()), book.library_id, book.item_id)
    with pytest.raises(InvalidField):
        await move_item(*at, to=attic.library_id, order=3)
    moved = await move_item(*at, to=attic.library_id, collection_id=bar.collection_id, order=3)
    assert (moved.collection_name, moved.order) == ("Bar", 3)
    await check_bookcases(store.engine)


async def test_leads_only_to_another_library_of_ones_own(
    store: Store, clock: Watch, ada: User, eve: User, book: Book
) -> None:
    theirs = await library_of(store, clock, eve)
    at = (Context(store, ada, clock()), book.library_id, book.item_id)
    for to in (theirs.library_id, "nowhere"):
        with pytest.raises(NotFound):
            await move_item(*at, to=to)
    with pytest.raises(InvalidField):
        await move_item(*at, to=book.library_id)
    with pytest.raises(NotFound):
        await move_item(Context(store, eve, clock()), *at[1:], to=theirs.library_id)


class TestInterrupted:
    @pytest.mark.parametrize("writes", [1, 2, 3])
    async def test_is_gone_on_with_by_whoever_comes(
        self, store: Store, clock: Watch, ada: User, book: Book, attic: Library, *, writes: int
    ) -> None:
        await interrupted(store, clock, ada, book, attic, writes=writes)
        await tidied(store, clock)
        assert await loans_in(store, ada, attic, book) == LOANS
        await check_bookcases(store.engine)

    async def test_and_moved_on_takes_all_of_its_history_along(
        self, store: Store, clock: Watch, ada: User, book: Book, attic: Library
    ) -> None:
        cellar = await library_of(store, clock, ada, "Cellar")
        await interrupted(store, clock, ada, book, attic, writes=2)
        await move_item(
            Context(store, ada, clock()), attic.library_id, book.item_id, to=cellar.library_id
        )
        await tidied(store, clock)
        assert await loans_in(store, ada, cellar, book) == LOANS
        await check_bookcases(store.engine)

    async def test_and_moved_back_has_all_of_its_history(
        self, store: Store, clock: Watch, ada: User, home: Library, book: Book, *, attic: Library
    ) -> None:
        await interrupted(store, clock, ada, book, attic, writes=2)
        await move_item(
            Context(store, ada, clock()), attic.library_id, book.item_id, to=home.library_id
        )
        await tidied(store, clock)
        assert await loans_in(store, ada, home, book) == LOANS
        await check_bookcases(store.engine)

    async def test_loses_nothing_when_the_library_it_left_is_deleted(
        self, store: Store, clock: Watch, ada: User, book: Book, attic: Library
    ) -> None:
        await interrupted(store, clock, ada, book, attic, writes=2)
        await delete_library(Context(store, ada), book.library_id)
        await tidied(store, clock)
        assert await loans_in(store, ada, attic, book) == LOANS
        await check_bookcases(store.engine)

    async def test_leaves_nothing_behind_when_it_is_deleted(
        self, store: Store, clock: Watch, ada: User, book: Book, attic: Library
    ) -> None:
        await interrupted(store, clock, ada, book, attic, writes=2)
        await delete_item(Context(store, ada, clock()), attic.library_id, book.item_id)
        await tidied(store, clock)
        left = await left_of_room(store.engine)
        assert left == {"Library": 2, "Collection": 1, "CollectionName": 1}

    async def test_is_cleared_whole(
        self, store: Store, clock: Watch, ada: User, book: Book, attic: Library
    ) -> None:
        await interrupted(store, clock, ada, book, attic, writes=2)
        await clear_history(Context(store, ada), attic.library_id, book.item_id)
        await tidied(store, clock)
        assert await loans_in(store, ada, attic, book) == 0
        await check_bookcases(store.engine)
