"""A book by its ISBN, from whoever knows books."""

from __future__ import annotations

from typing import Protocol

from commonroom.accounts.service.throttle import count_try
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.library.rules.isbn import isbn as fitting_isbn
from commonroom.library.service.lookup.limits import LOOK_UPS
from commonroom.library.service.lookup.offers import BookOffer, Offered
from commonroom.store import Store


class BookSource(Protocol):
    """Open Library, or nobody where look-ups are switched off. Neither of them ever fails."""

    @property
    def is_on(self) -> bool:
        """Whether there is anybody to ask."""

    async def book(self, isbn: str) -> Offered[BookOffer]:
        """The book with an ISBN, in bounded time."""

    async def close(self) -> None:
        """Gives up what is being asked."""


class NoBooks:
    """Nobody knows books."""

    is_on = False

    async def book(self, isbn: str) -> Offered[BookOffer]:  # noqa: ARG002 - whatever it is
        """Nothing."""
        return Offered([], [])

    async def close(self) -> None:
        """There is nothing to give up."""


async def look_up_book(
    store: Store, now: float, books: BookSource, person: User, isbn: str
) -> Offered[BookOffer]:
    """The book with an ISBN, as the source tells of it; nothing is changed by it."""
    fitting = fitting_isbn(isbn)
    if not books.is_on:
        raise NotFound("Looking up books is turned off here.")
    await count_try(store, now, LOOK_UPS, person.user_id)
    return await books.book(fitting)
