"""Stored titles: kept from their first use on, once, whoever comes first."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from commonroom.errors import Conflict
from commonroom.store import Store, Table, counting, create, update
from commonroom.titles.builtin import known_films, known_shows
from commonroom.titles.stored_titles import (
    claim_of,
    facts_of,
    id_of,
    load_title,
    store_title,
    title_of,
    title_ref,
)
from commonroom.titles.tables import Movie, Show, TmdbClaim, worth_watch
from commonroom.titles.titles import TitleFacts, TitleId
from tests.accounts.people import Watch

BREAKING_BAD = TitleId("SHOW", "1396")
WIRE = next(show for show in known_shows() if show.title == "The Wire")
MATRIX = next(film for film in known_films() if film.title == "The Matrix")
TOLD = TitleFacts(
    content_type="SHOW",
    content_id="7",
    tmdb_id=7,
    title="A show",
    year=2020,
    status="ongoing",
    seasons=1,
    vote_average=8.0,
    vote_count=10,
    poster_path="/abcdefgh.jpg",
)


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    """What a store of titles holds."""
    return [worth_watch]


@pytest.fixture
def store(either: Store) -> Store:
    """On each engine."""
    return either


def test_facts_come_back_as_they_were_stored() -> None:
    for facts in (*known_films()[:50], *known_shows()):
        kept = facts_of(title_of(facts, 0.0))
        assert kept == TitleFacts(**{name: getattr(facts, name) for name in kept.__struct_fields__})
    assert facts_of(title_of(TOLD, 0.0)) == TOLD


async def test_a_title_is_stored_with_its_claim(store: Store, clock: Watch) -> None:
    made = await store_title(store, WIRE, clock())

    assert isinstance(made, Show)
    assert (made.show_id, made.title, made.genres[0]) == ("1438", "The Wire", "Crime")
    assert await load_title(store, WIRE.id) == made
    assert await store.get(TmdbClaim.at(content_type="SHOW", tmdb_id="1438")) == TmdbClaim(
        content_type="SHOW", tmdb_id="1438", content_id="1438"
    )


async def test_a_film_and_a_show_with_one_number_are_two_titles(store: Store, clock: Watch) -> None:
    film = replace(TOLD, content_type="MOVIE", title="A film")
    await store_title(store, TOLD, clock())
    await store_title(store, film, clock())

    shown, seen = await load_title(store, TOLD.id), await load_title(store, film.id)
    assert isinstance(shown, Show)
    assert isinstance(seen, Movie)


async def test_whoever_comes_second_finds_the_firsts(store: Store, clock: Watch) -> None:
    first = await store_title(store, MATRIX, clock())
    clock.forward(60)
    again = await store_title(store, MATRIX, clock())

    assert again == first


async def test_ten_at_once_store_one_title(store: Store, clock: Watch) -> None:
    made = await asyncio.gather(*(store_title(store, MATRIX, clock()) for _ in range(10)))

    assert {id_of(one) for one in made} == {MATRIX.id}
    assert len({one.created_at for one in made}) == 1


async def test_what_tmdb_tells_anew_changes_what_is_kept(store: Store, clock: Watch) -> None:
    await store_title(store, TOLD, clock())
    again = await store_title(store, replace(TOLD, seasons=2, popularity=5.0), clock())

    assert isinstance(again, Show)
    assert (again.number_of_seasons, again.popularity, again.version) == (2, 5.0, 2)


async def test_votes_alone_are_not_worth_a_write(store: Store, clock: Watch) -> None:
    await store_title(store, TOLD, clock())
    with counting() as tally:
        again = await store_title(store, replace(TOLD, vote_count=11), clock())

    assert (tally.writes, again.source_votes) == (0, 10)


async def test_the_built_in_catalogue_changes_nothing_that_tmdb_told(
    store: Store, clock: Watch
) -> None:
    await store_title(store, TOLD, clock())
    known = replace(TOLD, vote_count=None, title="Another title", poster_path=None)

    assert (await store_title(store, known, clock())).title == "A show"


async def test_what_an_administrator_wrote_stays(store: Store, clock: Watch) -> None:
    stored = await store_title(store, TOLD, clock())
    await store.write(update(stored, title="As we say it", made_by="ada"))

    assert (await store_title(store, replace(TOLD, seasons=2), clock())).title == "As we say it"


async def test_ratings_of_a_title_do_not_keep_its_facts_from_changing(
    store: Store, clock: Watch
) -> None:
    stored = await store_title(store, TOLD, clock())
    await store.write(update(stored, rating=8.0, rating_count=1, rating_sum=8))
    again = await store_title(store, replace(TOLD, seasons=2), clock())

    assert isinstance(again, Show)
    assert (again.number_of_seasons, again.rating_count) == (2, 1)


async def test_a_title_on_its_way_out_is_not_there_and_cannot_come_back_yet(
    store: Store, clock: Watch
) -> None:
    stored = await store_title(store, TOLD, clock())
    await store.write(update(stored, removed_at="2026-01-01T00:00:00.000Z"))

    assert await load_title(store, TOLD.id) is None
    with pytest.raises(Conflict):
        await store_title(store, TOLD, clock())


class TestATitleThatSomebodyMade:
    MADE = replace(TOLD, content_id="6c1b9bd8-7b0e-4d4b-9d0f-6a5a3a1b2c3d", tmdb_id=None)

    async def test_has_no_claim_and_is_found_by_its_id(self, store: Store, clock: Watch) -> None:
        made = title_of(self.MADE, clock(), made_by="ada")
        assert claim_of(made) == []
        await store.write(create(made))

        assert await load_title(store, self.MADE.id) == made

    async def test_is_the_one_for_a_tmdb_id_that_it_claims(
        self, store: Store, clock: Watch
    ) -> None:
        made = title_of(replace(self.MADE, tmdb_id=7), clock(), made_by="ada")
        await store.write(create(made), *claim_of(made))

        assert await load_title(store, TOLD.id) == made
        assert await store_title(store, TOLD, clock()) == made
        assert await store.get(title_ref(TOLD.id)) is None


async def test_a_look_at_a_title_is_one_request(store: Store, clock: Watch) -> None:
    await store_title(store, MATRIX, clock())
    for title in (MATRIX.id, BREAKING_BAD, TitleId("MOVIE", "a-made-up-one")):
        with counting() as tally:
            await load_title(store, title)
        assert tally.requests == 1
