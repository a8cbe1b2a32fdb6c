"""Books from Open Library, whatever state it is in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from commonroom.library.rules import items as rules
from commonroom.library.service.lookup import BookOffer
from commonroom.library.service.open_library import OpenLibrary
from commonroom.library.tables import Book
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import Fetcher
from tests.support.dynamodb_local import free_port
from tests.support.open_library import HOBBIT, TROUBLES, OpenLibraryStandIn, standing_in

UNKNOWN = "9780140449136"
WHOLE = BookOffer(
    title="The Hobbit: or There and Back Again",
    authors=["J.R.R. Tolkien"],
    summary="A burglar.",
    isbn=HOBBIT,
    picture_url="https://covers.openlibrary.org/b/id/1-L.jpg",
    source="open_library",
)


@pytest.fixture
async def stand_in() -> AsyncIterator[OpenLibraryStandIn]:
    """Open Library, as far as Commonroom knows."""
    async with standing_in() as stand_in:
        stand_in.add_hobbit()
        yield stand_in


@pytest.fixture
async def fetcher(stand_in: OpenLibraryStandIn) -> AsyncIterator[Fetcher]:
    """A fetcher that trusts the stand-in."""
    fetcher = Fetcher([stand_in.address])
    yield fetcher
    await fetcher.close()


@pytest.fixture
async def books(stand_in: OpenLibraryStandIn, fetcher: Fetcher) -> AsyncIterator[OpenLibrary]:
    """Open Library, asked without much patience, and however often it fails."""
    books = OpenLibrary(
        fetcher, stand_in.address, circuit_breaker=CircuitBreaker(failures=1000), seconds=0.5
    )
    yield books
    await books.close()


async def test_a_book_is_told_with_its_authors_summary_and_cover(books: OpenLibrary) -> None:
    found = await books.book(HOBBIT)
    assert (found.offers, found.unanswered) == ([WHOLE], [])


async def test_what_is_offered_could_be_kept_as_it_is(books: OpenLibrary) -> None:
    (offer,) = (await books.book(HOBBIT)).offers
    fields = {"title", "authors", "summary", "isbn", "picture_url"}
    given = {name: getattr(offer, name) for name in fields}
    assert rules.fit(Book, given) == given


async def test_a_book_that_nobody_knows_is_nothing_and_no_trouble(books: OpenLibrary) -> None:
    found = await books.book(UNKNOWN)
    assert (found.offers, found.unanswered) == ([], [])


async def test_a_book_is_asked_for_once(books: OpenLibrary, stand_in: OpenLibraryStandIn) -> None:
    found = await asyncio.gather(*(books.book(HOBBIT) for _ in range(5)))
    assert await books.book(HOBBIT) == found[0]
    assert stand_in.asked.count("api/books") == 1


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_where_all_of_it_is_in_trouble_nothing_is_offered_and_it_is_said(
    books: OpenLibrary, stand_in: OpenLibraryStandIn, trouble: str
) -> None:
    stand_in.troubles[""] = TROUBLES[trouble](stand_in)
    found = await books.book(HOBBIT)
    assert (found.offers, found.unanswered) == ([], ["open_library"])


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_without_an_edition_there_is_no_summary_and_the_rest_is_offered(
    books: OpenLibrary, stand_in: OpenLibraryStandIn, trouble: str
) -> None:
    stand_in.troubles["isbn"] = TROUBLES[trouble](stand_in)
    found = await books.book(HOBBIT)
    (offer,) = found.offers
    assert (offer.title, offer.authors) == (WHOLE.title, WHOLE.authors)
    assert (offer.summary, found.unanswered) == (None, ["open_library"])


async def test_without_the_facts_the_edition_is_offered_as_far_as_it_goes(
    books: OpenLibrary, stand_in: OpenLibraryStandIn
) -> None:
    stand_in.troubles["api/books"] = TROUBLES["hangs"](stand_in)
    found = await books.book(HOBBIT)
    (offer,) = found.offers
    assert (offer.title, offer.authors) == ("The Hobbit", [])
    assert offer.picture_url == "https://covers.openlibrary.org/b/id/7-L.jpg"
    assert found.unanswered == ["open_library"]


async def test_what_came_only_in_part_is_asked_for_again(
    books: OpenLibrary, stand_in: OpenLibraryStandIn
) -> None:
    stand_in.troubles["works"] = TROUBLES["fails"](stand_in)
    assert (await books.book(HOBBIT)).unanswered == ["open_library"]
    stand_in.troubles.clear()
    assert (await books.book(HOBBIT)).offers == [WHOLE]


@pytest.mark.parametrize(
    "odd",
    [
        {"authors": []},
        {"authors": [{"url": "https://openlibrary.org/authors/OL1A"}]},
        {"authors": [{"name": 7}, {"name": "  "}, {"name": None}]},
    ],
)
async def test_a_book_without_an_author_is_offered_without(
    books: OpenLibrary, stand_in: OpenLibraryStandIn, odd: dict[str, Any]
) -> None:
    stand_in.data[HOBBIT] |= odd
    (offer,) = (await books.book(HOBBIT)).offers
    assert offer.authors == []


@pytest.mark.parametrize("title", ["", "   ", None, 7, "\u200b"])
async def test_a_book_without_a_title_is_none(
    books: OpenLibrary, stand_in: OpenLibraryStandIn, title: Any
) -> None:
    for told in (stand_in.data[HOBBIT], stand_in.editions[HOBBIT]):
        told |= {"title": title, "subtitle": None}
    assert (await books.book(HOBBIT)).offers == []


async def test_what_is_too_long_is_cut_to_what_can_be_kept(
    books: OpenLibrary, stand_in: OpenLibraryStandIn
) -> None:
    stand_in.data[HOBBIT] |= {
        "title": "x" * 500,
        "authors": [{"name": "y" * 500}, *({"name": f"z{number}"} for number in range(99))],
    }
    stand_in.works["OL262758W"]["description"] = "w" * 9000
    (offer,) = (await books.book(HOBBIT)).offers
    assert offer.title == "x" * 299 + "…"
    assert (len(offer.authors), offer.authors[0]) == (50, "y" * 99 + "…")
    assert len(offer.summary or "") == 4000


@pytest.mark.parametrize(
    "picture", ["http://covers.openlibrary.org/b/id/1-L.jpg", "javascript:alert(1)", "", 7]
)
async def test_a_picture_that_could_not_be_kept_is_not_offered(
    books: OpenLibrary, stand_in: OpenLibraryStandIn, picture: Any
) -> None:
    stand_in.data[HOBBIT]["cover"] = {"large": picture}
    stand_in.editions[HOBBIT]["covers"] = [-1, "8", None]
    (offer,) = (await books.book(HOBBIT)).offers
    assert offer.picture_url is None


@pytest.mark.parametrize("key", ["/works/../../etc", "https://evil.example/x", "/works/1", 7, None])
async def test_only_a_work_of_open_librarys_is_asked_for(
    books: OpenLibrary, stand_in: OpenLibraryStandIn, key: Any
) -> None:
    stand_in.editions[HOBBIT]["works"] = [{"key": key}]
    (offer,) = (await books.book(HOBBIT)).offers
    assert offer.summary is None
    assert not any(path.startswith("works") for path in stand_in.asked)


async def test_one_that_keeps_failing_is_left_alone(
    stand_in: OpenLibraryStandIn, fetcher: Fetcher
) -> None:
    stand_in.troubles[""] = TROUBLES["fails"](stand_in)
    books = OpenLibrary(fetcher, stand_in.address)
    for isbn in (HOBBIT, UNKNOWN, HOBBIT, UNKNOWN):
        assert (await books.book(isbn)).unanswered == ["open_library"]
    assert len(stand_in.asked) <= 4


async def test_one_that_wants_to_be_left_alone_is_at_once(
    stand_in: OpenLibraryStandIn, fetcher: Fetcher
) -> None:
    stand_in.troubles[""] = TROUBLES["wants to be left alone"](stand_in)
    books = OpenLibrary(fetcher, stand_in.address)
    await books.book(HOBBIT)
    asked = len(stand_in.asked)
    assert (await books.book(UNKNOWN)).unanswered == ["open_library"]
    assert len(stand_in.asked) == asked


async def test_nobody_there_is_nothing_offered(fetcher: Fetcher) -> None:
    books = OpenLibrary(fetcher, f"http://127.0.0.1:{free_port()}")
    assert (await books.book(HOBBIT)).unanswered == ["open_library"]
