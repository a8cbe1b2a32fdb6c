"""Where Ada lends her things from, before somebody looks."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Book, Library
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, now_of

DAY = 86_400


class Lender:
    """Ada's lender: whatever was done there, was done a while ago."""

    def __init__(self, store: Store, clock: Watch, ada: User, home: Library) -> None:
        self.store, self.clock, self.ada, self.home = store, clock, ada, home

    async def book(self, title: str = "Middlemarch", **given: Any) -> Book:
        """A book in Ada's library."""
        return await book_of(self.store, self.clock, self.ada, self.home, title, **given)

    async def lend(self, book: Book, to: str, **more: str) -> None:
        """Lends a book."""
        place = (Context(self.store, self.ada, self.clock()), book.library_id, book.item_id)
        await lend(*place, to=to, past_due=True, **more)  # type: ignore[arg-type] # as named

    async def lent(self, title: str, to: str = "Carl", **more: str) -> Book:
        """A book that is lent."""
        book = await self.book(title)
        await self.lend(book, to, **more)
        return book

    async def take_back(self, book: Book) -> None:
        """Takes a book back."""
        await return_item(
            Context(self.store, self.ada, self.clock()), book.library_id, book.item_id
        )

    async def was_lent(self, book: Book, to: str, days: float, **more: str) -> None:
        """Lends a book for so many days, until the time that it is now."""
        now = self.clock.now
        self.clock.now = now - days * DAY
        await self.lend(book, to, **more)
        self.clock.now = now
        await self.take_back(book)

    async def now(self, book: Book) -> Book:
        """A book as it is stored now."""
        return await now_of(self.store, book)
