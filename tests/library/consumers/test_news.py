"""Who borrows something, or is let into a library, is told of it, as long as it lasts."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.notifications import LENT, SHARED
from commonroom.library.service.libraries import share, unshare
from commonroom.library.service.loans import change_due_date, lend, return_item
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book, Library, owner_id_of
from commonroom.moments import seconds
from commonroom.notifications.tables import Notification
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, everything_of, library_of, tidied

At = tuple[Context, str, str]


@pytest.fixture
def clock() -> Watch:
    """A time at which things can be due."""
    clock = Watch()
    clock.now = seconds("2026-05-01T12:00:00.000Z")
    return clock


@pytest.fixture
async def book(store: Store, clock: Watch, ada: User, home: Library) -> Book:
    """A book of Ada's."""
    return await book_of(store, clock, ada, home, "Angelo")


@pytest.fixture
def at(store: Store, clock: Watch, ada: User, home: Library, book: Book) -> At:
    """What everything here is asked with."""
    return Context(store, ada, clock()), home.library_id, book.item_id


async def told(store: Store, clock: Watch) -> list[Notification]:
    """What anybody was told."""
    await tidied(store, clock)
    return await everything_of(store.engine, Notification)


async def test_a_borrower_is_told_once_until_it_is_back(
    store: Store, clock: Watch, at: At, ada: User, ben: User
) -> None:
    await lend(*at, to="Ben", email="ben@example.org")
    (one,) = await told(store, clock)
    assert (one.user_id, one.kind, one.link) == (ben.user_id, LENT.name, "/library/loans")
    assert LENT.words(one.facts).title == "Ada lent you Angelo"
    await change_due_date(*at, due="2026-05-30")
    other = await library_of(store, clock, ada, "Other")
    await move_item(*at, to=other.library_id)
    (one,) = await told(store, clock)
    assert one.read_at is None, "it is still lent, wherever it stands"
    await return_item(at[0], other.library_id, at[2])
    (one,) = await told(store, clock)
    assert one.read_at is not None


async def test_a_name_without_an_account_is_nobody_to_tell(
    store: Store, clock: Watch, at: At
) -> None:
    await lend(*at, to="The neighbour")
    assert await told(store, clock) == []


async def test_who_is_let_into_a_library_is_told_until_that_ends(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    ctx = Context(store, ada, clock())
    await share(ctx, home.library_id, "ben@example.org")
    (one,) = await told(store, clock)
    assert (one.user_id, one.link) == (ben.user_id, f"/library/{home.library_id}")
    assert SHARED.words(one.facts).title == "Ada shares “Home” with you"
    await unshare(ctx, home.library_id, owner_id_of(ben.user_id))
    assert await told(store, clock) == []
