"""What stands beside an item."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.access import readable_library
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import lend
from commonroom.library.service.shelves import AFTER, BEFORE, ShelfNeighbours, see_neighbours
from commonroom.library.tables import Book, Collection, Library, Video
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, collection_of


async def beside(store: Store, person: User, item: Book | Video) -> ShelfNeighbours:
    """What somebody sees beside an item."""
    reach = await readable_library(Context(store, person), item.library_id)
    with counting() as tally:
        seen = await see_neighbours(store, reach, item)
    assert tally.requests == 2
    return seen


def names(seen: ShelfNeighbours) -> list[str]:
    """What stands there, in order."""
    return [one.name if isinstance(one, Collection) else one.title for one in seen.entries]


@pytest.fixture
async def series(store: Store, clock: Watch, ada: User, home: Library) -> list[Book]:
    """A collection between two that stand alone."""
    for title in ("Alone", "Zoo"):
        await book_of(store, clock, ada, home, title)
    made = await collection_of(store, clock, ada, home, "Earth#sea")
    titles = ("Wizard", "Tombs", "Shore")
    return [
        await book_of(store, clock, ada, home, one, collection_id=made.collection_id)
        for one in titles
    ]


async def test_a_member_has_its_neighbours_in_the_collection(
    store: Store, ada: User, series: list[Book]
) -> None:
    wizard, tombs, shore = series
    seen = await beside(store, ada, tombs)
    assert names(seen) == ["Alone", "Earth#sea", "Wizard", "Tombs", "Shore", "Zoo"]
    assert (seen.before, seen.after) == (wizard, shore)
    assert (await beside(store, ada, wizard)).before is None, "its collection is no neighbour"
    assert (await beside(store, ada, shore)).after is None, "what stands alone is none"


async def test_what_stands_alone_has_no_neighbours(
    store: Store, clock: Watch, ada: User, home: Library, series: list[Book]
) -> None:
    zoom = await book_of(store, clock, ada, home, "Zoom")
    seen = await beside(store, ada, zoom)
    assert names(seen) == ["Wizard", "Tombs", "Shore", "Zoo", "Zoom"]
    assert (seen.before, seen.after) == (None, None)


async def test_there_are_a_few_on_both_sides(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    books = [await book_of(store, clock, ada, home, f"{n:02}") for n in range(40)]
    seen = await beside(store, ada, books[20])
    assert names(seen) == [f"{n:02}" for n in range(20 - BEFORE, 20 + AFTER + 1)]


async def test_titles_that_are_the_same_stand_there_all(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    books = [await book_of(store, clock, ada, home, "Emma") for _ in range(3)]
    for book in books:
        assert names(await beside(store, ada, book)) == ["Emma"] * 3


async def test_recipients_are_not_told_who_has_what(
    store: Store, clock: Watch, ada: User, ben: User, series: list[Book]
) -> None:
    library_id = series[0].library_id
    await lend(Context(store, ada, clock()), library_id, series[0].item_id, to="Zoe")
    await share(Context(store, ada, clock()), library_id, "ben@example.org")
    lent = [(await beside(store, one, series[1])).before for one in (ada, ben)]
    assert [one.lent_to for one in lent if one is not None] == ["Zoe", None]
