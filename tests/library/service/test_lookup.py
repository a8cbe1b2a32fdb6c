"""Looking something up: what is offered to a person, how often, and that nothing changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, NotFound, RateLimited
from commonroom.library.rules import items as rules
from commonroom.library.service.lookup import (
    LOOK_UPS,
    BookOffer,
    LookupResult,
    NoBooks,
    book_source,
    look_up_book,
    look_up_film,
)
from commonroom.library.tables import Library, Video
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.titles.builtin import Catalogue
from commonroom.titles.films import Film, FilmSource, SearchResult
from commonroom.titles.sources import title_source
from tests.accounts.people import Watch
from tests.library.bookcase import left_of_room
from tests.support.open_library import HOBBIT
from tests.support.tmdb import KEY, StandIn, film, standing_in, status


class Shelf:
    """Somebody who knows every book."""

    is_on = True

    async def book(self, isbn: str) -> LookupResult[BookOffer]:
        offer = BookOffer(
            title="T",
            authors=[],
            summary=None,
            isbn=isbn,
            picture_url=None,
            source="open_library",
        )
        return LookupResult([offer], [])

    async def close(self) -> None:
        """Nothing is open."""


class TestBooks:
    async def test_an_isbn_is_understood_however_it_is_typed(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        typed = " 978-0-261-10328-3 "
        found = await look_up_book(Context(store, ada, clock()), Shelf(), typed)
        assert [one.isbn for one in found.offers] == [HOBBIT]

    async def test_what_is_no_isbn_is_refused_and_asks_nobody(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        for wrong in ("9780261103284", "", "7", "../secrets", "978026110328\uff13"):
            with pytest.raises(InvalidField):
                await look_up_book(Context(store, ada, clock()), Shelf(), wrong)

    async def test_it_can_be_switched_off(self, store: Store, clock: Watch, ada: User) -> None:
        fetcher = Fetcher()
        books = book_source(Settings(book_look_ups=False), fetcher)
        assert isinstance(books, NoBooks)
        with pytest.raises(NotFound):
            await look_up_book(Context(store, ada, clock()), books, HOBBIT)

    async def test_one_person_may_look_up_so_many_and_another_still_may(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        for _ in range(LOOK_UPS.tries):
            await look_up_book(Context(store, ada, clock()), Shelf(), HOBBIT)
        with pytest.raises(RateLimited):
            await look_up_book(Context(store, ada, clock()), Shelf(), HOBBIT)
        await look_up_book(Context(store, ben, clock()), Shelf(), HOBBIT)
        clock.forward(LOOK_UPS.seconds + 1)
        await look_up_book(Context(store, ada, clock()), Shelf(), HOBBIT)

    async def test_nothing_in_the_library_changes(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await look_up_book(Context(store, ada, clock()), Shelf(), HOBBIT)
        await look_up_film(Context(store, ada, clock()), Catalogue(), "Alien")
        assert await left_of_room(store.engine) == {"Library": 1}
        assert await store.get(home.ref) == home


class Slow(Catalogue):
    """A source that never comes to an end."""

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.fixture
async def tmdb() -> AsyncIterator[StandIn]:
    """TMDB, as far as Commonroom knows."""
    async with standing_in() as stand_in:
        one = film(900_011, title="Night Train", popularity=2)
        stand_in.add(one, film(900_012, title="Night Train Two", popularity=1))
        yield stand_in


@pytest.fixture
async def films(tmdb: StandIn, store: Store) -> AsyncIterator[FilmSource]:
    """Films from TMDB; without a cache, as the library's tests have no table for it."""
    settings = Settings(tmdb_key=KEY, tmdb_address=tmdb.address)
    fetcher = Fetcher.of(settings)
    source = title_source(settings, store, fetcher)
    yield source
    await source.close()
    await fetcher.close()


async def sought(store: Store, clock: Watch, source: Any, ada: User, title: str) -> Any:
    """What is offered for a title."""
    return await look_up_film(Context(store, ada, clock()), source, title)


class TestFilms:
    async def test_without_tmdb_the_catalogue_tells(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        found = await sought(store, clock, Catalogue(), ada, "the godfather")
        assert found.unanswered == []
        first = found.offers[0]
        assert (first.title, first.release_year, first.source) == (
            "The Godfather",
            1972,
            "catalogue",
        )
        assert first.directors == ["Francis Ford Coppola"]
        assert first.tmdb_id == 238

    async def test_films_of_tmdb_come_with_all_that_is_known(
        self, store: Store, clock: Watch, ada: User, films: FilmSource
    ) -> None:
        found = await sought(store, clock, films, ada, "Night Train")
        assert [one.tmdb_id for one in found.offers] == [900_011, 900_012]
        assert found.unanswered == []
        first = found.offers[0]
        assert (first.directors, first.cast, first.duration) == (["Boss"], ["First", "Second"], 100)
        assert first.picture_url == "https://image.tmdb.org/t/p/w342/poster00900011.jpg"
        assert first.source == "tmdb"

    async def test_what_is_offered_could_be_kept_as_it_is(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        for text in ("alien", "the", "spirited away"):
            for one in (await sought(store, clock, Catalogue(), ada, text)).offers:
                given = {
                    name: getattr(one, name) for name in one.__struct_fields__ if name != "source"
                }
                assert rules.fit(Video, given) == given

    async def test_where_tmdb_is_down_the_catalogue_tells_and_it_is_said(
        self, store: Store, clock: Watch, ada: User, films: FilmSource, tmdb: StandIn
    ) -> None:
        tmdb.troubles[""] = status(503)
        found = await sought(store, clock, films, ada, "the godfather")
        assert (found.offers[0].source, found.unanswered) == ("catalogue", ["tmdb"])
        assert (await sought(store, clock, films, ada, "Night Train")).unanswered == ["tmdb"]

    async def test_where_only_the_list_comes_it_is_offered_and_that_is_said(
        self, store: Store, clock: Watch, ada: User, films: FilmSource, tmdb: StandIn
    ) -> None:
        tmdb.troubles["movie"] = status(500)
        found = await sought(store, clock, films, ada, "Night Train")
        assert [(one.title, one.directors) for one in found.offers] == [
            ("Night Train", []),
            ("Night Train Two", []),
        ]
        assert found.unanswered == ["tmdb"]

    async def test_it_ends_whatever_the_source_does(
        self, store: Store, clock: Watch, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonroom.library.service.lookup.MAX_SECONDS", 0.05)
        found = await sought(store, clock, Slow(), ada, "x")
        assert (found.offers, found.unanswered) == ([], ["tmdb"])

    async def test_a_title_has_something_in_it_and_is_not_endless(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        for wrong in ("", "  ", "x" * 101):
            with pytest.raises(InvalidField):
                await sought(store, clock, Catalogue(), ada, wrong)

    async def test_a_film_that_does_not_fit_is_cut_or_left_out(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        odd = [
            Film(tmdb_id=1, title="x" * 500, year=1500, runtime=5000, cast=("n",) * 9),
            Film(tmdb_id=2, title="\u200b"),
        ]

        class Odd(Catalogue):
            async def search_result(self, text: str, limit: int = 20) -> SearchResult:
                return SearchResult(odd, "catalogue")

            async def film(self, tmdb_movie_id: int) -> Film | None:
                return None

        (offer,) = (await sought(store, clock, Odd(), ada, "x")).offers
        assert (len(offer.title), offer.release_year, offer.duration) == (300, None, None)
        assert offer.cast == ["n"]
