"""Titles are looked up by their ids, then by name and year, at the source and among those made."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.store import Store, counting
from commonroom.titles.builtin import Catalogue
from commonroom.titles.films import Film
from commonroom.titles.service import Titles
from commonroom.titles.sources import TitleSearchResult
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.rules.formats import TitleRead
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.imports.matching import find_match, look_up
from commonroom.watchlists.tables import WatchlistImport
from tests.accounts.people import Watch
from tests.watchlists.examples import MATRIX, TITLES, asks, everything_of, stock
from tests.watchlists.import_files import NOW, own_list


class Told(Catalogue):
    """A source that knows some titles more, and how often it was asked."""

    knows_services = True

    def __init__(self, *titles: TitleFacts) -> None:
        self.titles = titles
        self.asked: list[str] = []

    async def called(self, title: str) -> TitleSearchResult:
        self.asked.append(title)
        known: Sequence[TitleFacts] = (await super().called(title)).titles
        return TitleSearchResult([*known, *(one for one in self.titles if one.title == title)])

    async def film(self, tmdb_movie_id: int) -> Film | None:
        self.asked.append(str(tmdb_movie_id))
        return await super().film(tmdb_movie_id)


async def matched(store: Store, of: TitleRead, titles: Titles = TITLES) -> TitleId | None:
    """The title that a row means."""
    anybody = User(user_id="ada", display_name="Ada", created_at="2026-01-01T00:00:00.000Z")
    found = (await find_match(titles, Context(store, anybody, NOW), of)).match
    return None if found is None else TitleId(found.content_type, found.content_id)


@pytest.mark.parametrize(
    "of",
    [
        TitleRead("Anything", content_type="MOVIE", tmdb_id=603),
        TitleRead("Anything", content_type="MOVIE", content_id="603"),
        TitleRead("Anything", imdb_id="tt0133093"),
        TitleRead("The Matrix", 1999),
        TitleRead("matrix, the", 2000, "MOVIE"),
        TitleRead("Matrice", 1999, original_title="The Matrix"),
    ],
)
async def test_an_id_comes_before_a_name(store: Store, of: TitleRead) -> None:
    assert await matched(store, of) == MATRIX


@pytest.mark.parametrize(
    "of",
    [
        TitleRead("The Matrix", 1985),
        TitleRead("The Matrix", 1999, "SHOW"),
        TitleRead("Matrix Reborn", 1999),
        TitleRead("The Matrx", 1999),
        TitleRead("The Matrix", 1999, "MOVIE", tmdb_id=999_999_999, imdb_id="tt9999999"),
    ],
)
async def test_what_is_not_meant_is_not_taken(store: Store, of: TitleRead) -> None:
    assert await matched(store, of) is None


async def test_a_title_that_somebody_made_counts_by_its_id(store: Store) -> None:
    await stock(store)
    heat = TitleRead("Something else", content_type="MOVIE", tmdb_id=949)
    assert await matched(store, heat) == TitleId("MOVIE", "949")


async def test_a_source_that_knows_more_is_asked(store: Store) -> None:
    heat = TitleFacts(content_type="MOVIE", content_id="949", tmdb_id=949, title="Heat", year=1995)
    source = Told(heat)
    found = await matched(store, TitleRead("Heat", 1995), Titles(source))
    assert (found, source.asked) == (heat.id, ["Heat"])


async def test_looking_up_costs_few_requests(store: Store, clock: Watch, ben: User) -> None:
    clock.now = NOW
    rows = [f"film,The Matrix {n},1999,,,,,,,," for n in range(39)]
    await WatchlistImports(asks(store, clock, ben)).prepare([("a.csv", own_list("Long", *rows))])
    (kept,) = await everything_of(store.engine, WatchlistImport)
    with counting() as tally:
        await look_up(TITLES, asks(store, clock, ben), kept)
    assert (await WatchlistImports(asks(store, clock, ben)).see()).looked_up == 39
    assert tally.requests <= 39 * 2 + 12


async def test_where_tmdb_is_asked_unknown_titles_are_left_by_default(
    store: Store, clock: Watch, ben: User
) -> None:
    clock.now = NOW
    for source, proposed in ((Told(), "leave"), (Catalogue(), "make")):
        file = own_list("One", "film,Nobody knows this,1999,,,,,,,,")
        await WatchlistImports(asks(store, clock, ben)).prepare([("a.csv", file)])
        (kept,) = await everything_of(store.engine, WatchlistImport)
        await look_up(Titles(source), asks(store, clock, ben), kept)
        seen = await WatchlistImports(asks(store, clock, ben)).see()
        assert seen.preview is not None
        assert (seen.state, seen.preview.unknown) == ("ready", proposed)
        assert seen.preview.outcome.unmatched == (proposed == "leave")
