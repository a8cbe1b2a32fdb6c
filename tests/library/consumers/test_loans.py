"""What is due later: people are told, once, of loans that still last."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.notifications import DUE_BACK, OVERDUE
from commonroom.library.service.items import delete_item
from commonroom.library.service.loans import change_due_date, lend, return_item
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book, Library
from commonroom.moments import seconds
from commonroom.notifications.kinds import Kind
from commonroom.notifications.tables import Notification
from commonroom.store import Store
from tests.accounts.people import DAY, Watch
from tests.library.bookcase import book_of, everything_of, library_of, tidied

KINDS = (OVERDUE, DUE_BACK)
At = tuple[Context, str, str]


@pytest.fixture
async def book(store: Store, clock: Watch, ada: User, home: Library) -> Book:
    """A book of Ada's, in our time."""
    clock.now = seconds("2026-05-01T12:00:00.000Z")
    return await book_of(store, clock, ada, home, "Angelo")


@pytest.fixture
def at(store: Store, clock: Watch, ada: User, home: Library, book: Book) -> At:
    """What everything here is asked with."""
    return Context(store, ada, clock()), home.library_id, book.item_id


async def overdue_notices(store: Store) -> list[Notification]:
    """What anybody was told of what should be back."""
    found = await everything_of(store.engine, Notification)
    return [one for one in found if one.kind in {kind.name for kind in KINDS}]


async def told(store: Store, clock: Watch, days: float) -> dict[str, str]:
    """Who was told what kind of thing, so many days later."""
    clock.forward(days * DAY)
    await tidied(store, clock)
    return {one.user_id: one.kind for one in await overdue_notices(store)}


async def test_the_owner_and_the_borrower_are_told_when_the_due_day_is_over(
    store: Store, clock: Watch, at: At, ada: User, ben: User
) -> None:
    await lend(*at, to="Ben", due="2026-05-03", email="ben@example.org")
    assert await told(store, clock, 2.4) == {}
    both = {ada.user_id: "library_overdue", ben.user_id: "library_due_back"}
    assert await told(store, clock, 0.2) == both
    assert await told(store, clock, 5) == both
    assert len(await overdue_notices(store)) == 2


async def test_nobody_is_told_of_what_came_back(store: Store, clock: Watch, at: At) -> None:
    await lend(*at, to="Ben", due="2026-05-03")
    await return_item(*at)
    assert await told(store, clock, 5) == {}


async def test_nobody_is_told_of_a_loan_that_was_given_longer_until_that_is_over(
    store: Store, clock: Watch, at: At, ada: User
) -> None:
    await lend(*at, to="Ben", due="2026-05-03")
    await change_due_date(*at, due="2026-05-10")
    assert await told(store, clock, 5) == {}
    assert await told(store, clock, 5) == {ada.user_id: "library_overdue"}


async def test_a_loan_is_told_of_wherever_the_item_was_moved(
    store: Store, clock: Watch, at: At, ada: User
) -> None:
    attic = await library_of(store, clock, ada, "Attic")
    await lend(*at, to="Ben", due="2026-05-03")
    await move_item(*at, to=attic.library_id)
    assert await told(store, clock, 5) == {ada.user_id: "library_overdue"}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("owner", ["Ada", ""])
def test_the_words_name_what_it_is_about(kind: Kind, owner: str) -> None:
    facts = {"title": "Angelo", "borrower": "Ben", "owner": owner, "due": "2026-05-03"}
    words = kind.words(facts)
    assert "Angelo" in words.title
    assert "3 May 2026" in words.text
    assert "%" not in words.title + words.text


async def unread(store: Store, clock: Watch) -> int:
    """How much of it nobody has read, once what follows has happened."""
    await tidied(store, clock)
    return len([one for one in await overdue_notices(store) if one.read_at is None])


@pytest.mark.parametrize("how", ["back", "longer", "deleted"])
async def test_what_was_told_of_a_loan_is_read_by_itself_when_it_ends_or_goes_on(
    store: Store, clock: Watch, at: At, ben: User, how: str
) -> None:
    await lend(*at, to="Ben", due="2026-05-03", email=ben.email)
    assert len(await told(store, clock, 5)) == 2
    assert await unread(store, clock) == 2
    if how == "back":
        await return_item(*at)
    elif how == "longer":
        await change_due_date(*at, due="2026-05-30")
    else:
        await delete_item(*at, force=True)
    assert await unread(store, clock) == 0


async def test_what_was_told_of_a_loan_stays_unread_where_the_item_is_only_moved(
    store: Store, clock: Watch, at: At, ada: User
) -> None:
    other = await library_of(store, clock, ada, "Cellar")
    await lend(*at, to="Ben", due="2026-05-03")
    await told(store, clock, 5)
    await move_item(*at, to=other.library_id)
    assert await unread(store, clock) == 1
