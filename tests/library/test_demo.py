"""The demonstration's libraries."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User
from commonroom.library.demo import LOANS, read_shelves, seed_demo
from commonroom.library.rules.items import isbn
from commonroom.library.rules.loans import is_overdue, today
from commonroom.library.service.search import search
from commonroom.library.service.search_cache import SearchCache
from commonroom.library.tables import Book, Collection, Library, LoanEvent, Video
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import check_bookcases, drift, everything_of, somebody

DAY = 24 * 3600.0
NOW = 1_780_250_400.0
"""In May 2026: the tests’ own watch is far beyond the last due date."""


@pytest.fixture
async def world(store: Store, clock: Watch) -> dict[str, User]:
    """The people, once both libraries are furnished."""
    people = {name: await somebody(store, clock, name) for name in ("Maya", "Jonas", "Inès", "Tom")}
    maya, jonas, *friends = people.values()
    await seed_demo(store, NOW, DemoPeople(maya, jonas, friends, []))
    return people


async def things(store: Store) -> list[Book | Video]:
    books, videos = (
        await everything_of(store.engine, Book),
        await everything_of(store.engine, Video),
    )
    return [*books, *videos]


async def test_two_libraries_hold_300_things_that_are_as_the_rules_want_them(
    store: Store, world: dict[str, User]
) -> None:
    libraries = {one.library_name: one for one in await everything_of(store.engine, Library)}
    assert libraries.keys() == {"Home shelves", "Comics and films"}
    assert sum(one.total_items for one in libraries.values()) == len(await things(store)) == 300
    assert len(libraries["Home shelves"].shared_to_ids) == 2
    await check_bookcases(store.engine)
    assert await drift(store) == []


async def test_collections_are_in_the_order_that_is_written_down(
    store: Store, world: dict[str, User]
) -> None:
    items = await things(store)
    made = {one.name: one for one in await everything_of(store.engine, Collection)}
    for shelves in read_shelves():
        for series in shelves.collections:
            members = [one for one in items if one.collection_name == series.name]
            members.sort(key=lambda one: one.order or 0)
            assert [one.title for one in members] == [*series.books, *series.films]
            assert made[series.name].item_count == len(members)


async def test_films_have_what_the_catalogue_knows(store: Store, world: dict[str, User]) -> None:
    films = await everything_of(store.engine, Video)
    assert all(one.release_year and one.duration and one.directors for one in films)
    (totoro,) = [one for one in films if one.title == "My Neighbor Totoro"]
    assert (totoro.directors, totoro.release_year) == (["Hayao Miyazaki"], 1988)


async def test_something_is_overdue_something_due_tomorrow_and_something_with_an_account(
    store: Store, world: dict[str, User]
) -> None:
    maya = world["Maya"]
    lent = [one for one in await things(store) if one.lent_to is not None]
    assert [one.title for one in lent if is_overdue(one, today(NOW, maya))] == [
        "The Master and Margarita"
    ]
    tomorrow = today(NOW + DAY, maya)
    assert [one.title for one in lent if one.due_date == tomorrow] == ["Station Eleven"]
    assert {one.lent_to for one in lent if one.borrower_id is not None} == {"Inès", "Tom"}


async def test_a_year_of_loans_is_told(store: Store, world: dict[str, User]) -> None:
    events = await everything_of(store.engine, LoanEvent)
    kinds = Counter(one.type for one in events)
    lasting = [one for one in LOANS if one.returned is None]
    assert (kinds["LENT"], kinds["RETURNED"]) == (len(LOANS), len(LOANS) - len(lasting))


async def test_people_find_things_in_both(
    store: Store, clock: Watch, world: dict[str, User]
) -> None:
    found = await search(Context(store, world["Maya"]), SearchCache(clock=clock), "pratchet")
    assert {one.item.title for one in found.hits} >= {"Equal Rites", "Eric"}
    (gaul,) = (
        await search(Context(store, world["Maya"]), SearchCache(clock=clock), "asterix gaul")
    ).hits
    assert not gaul.is_owner


class TestWhatIsWritten:
    def test_stands_there_once(self) -> None:
        for shelves in read_shelves():
            series = [thing for one in shelves.collections for thing in shelves.series(one)]
            titles = [one.given["title"] for one in (*series, *shelves.others())]
            assert sorted(titles) == sorted(set(titles))

    def test_has_isbns_and_summaries_of_books_that_are_there(self) -> None:
        for shelves in read_shelves():
            series = [title for one in shelves.collections for title in one.books]
            books = {*series, *(title for some in shelves.books.values() for title in some)}
            assert {*shelves.isbns, *shelves.summaries} <= books
            assert [isbn(one) for one in shelves.isbns.values()] == [*shelves.isbns.values()]

    def test_lends_a_thing_again_only_when_it_is_back(self) -> None:
        for title in {one.title for one in LOANS}:
            own = [one for one in LOANS if one.title == title]
            for one, following in pairwise(own):
                assert one.returned is not None
                assert one.lent > one.returned >= following.lent
