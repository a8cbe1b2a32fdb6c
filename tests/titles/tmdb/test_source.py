"""Films from TMDB, from the cache, and from the catalogue behind both."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from commonroom.store import Store
from commonroom.titles.builtin import Catalogue
from commonroom.titles.films import Film, FilmFilter
from commonroom.titles.tables import tmdb_cache
from commonroom.titles.titles import Certification
from tests.support.engines import Clock
from tests.support.hostile_engine import Hostility, hostile_file
from tests.support.tmdb import TROUBLES, StandIn, film, says, status
from tests.titles.tmdb.conftest import Sources

COMEDIES = FilmFilter(genres=frozenset({"35"}), ceiling="PG-13")
HOUR = 3600


def numbers(films: list[Film]) -> list[int]:
    """Which films, in order."""
    return [one.tmdb_movie_id for one in films]


def lying(*films: dict[str, Any]) -> Any:
    """A list that holds films whatever was asked for."""
    listed = [one | {"genre_ids": [genre["id"] for genre in one["genres"]]} for one in films]
    return says(json.dumps({"results": listed, "total_pages": 1}))


class TestDiscover:
    async def test_films_come_with_all_that_is_known_of_them_most_popular_first(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in (3, 1, 2)))
        films = await sources().discover(COMEDIES)
        assert numbers(films) == [1, 2, 3]
        first = films[0]
        assert (first.certification, first.services) == ("PG", ("netflix",))
        assert (first.makers, first.cast, first.runtime) == (("Boss",), ("First", "Second"), 100)

    async def test_they_have_any_of_the_genres_and_none_of_the_others(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        for number, genres in enumerate([[35], [28], [35, 28], [35, 27], [99]], start=1):
            stand_in.add(film(number, genres=[{"id": genre} for genre in genres]))
        wanted = FilmFilter(genres=frozenset({"35", "28"}), without_genres=frozenset({"27", "99"}))
        assert numbers(await sources().discover(wanted)) == [1, 2, 3]
        assert numbers(await sources().discover(FilmFilter())) == [1, 2, 3, 4, 5]

    async def test_they_have_votes_enough_and_are_not_too_old(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(film(1, vote_count=49), film(2, vote_count=50))
        stand_in.add(film(3, release_date="1979-12-31"), film(4, release_date="1980-01-01"))
        assert numbers(await sources().discover(FilmFilter())) == [2, 4]
        assert numbers(await sources().discover(FilmFilter(votes=10, since=1960))) == [1, 2, 3, 4]

    @pytest.mark.parametrize(
        "ceiling, passing",
        [("G", [1]), ("PG", [1, 2]), ("PG-13", [1, 2, 3]), ("R", [1, 2, 3, 4, 6])],
    )
    async def test_none_is_over_the_ceiling_and_under_r_none_is_unrated(
        self,
        sources: Sources,
        stand_in: StandIn,
        ceiling: Certification,
        passing: list[int],
    ) -> None:
        rated = ["G", "PG", "PG-13", "R", "NC-17", ""]
        films = [film(number, certification=one) for number, one in enumerate(rated, start=1)]
        stand_in.add(*films)
        assert numbers(await sources().discover(FilmFilter(ceiling=ceiling))) == passing
        stand_in.troubles["discover"] = lying(*films)
        other_day = FilmFilter(ceiling=ceiling, votes=49)
        assert numbers(await sources().discover(other_day)) == passing, "whatever TMDB lists"

    async def test_whatever_else_tmdb_lists_wrongly_is_dropped_too(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        films = [
            film(1),
            film(1, title="The same again"),
            film(2, genres=[{"id": 27}]),
            film(3, vote_count=3),
            film(4, release_date="1920-01-01"),
            film(5, adult=True),
            film(6, release_date=""),
            film(7),
        ]
        stand_in.add(*films)
        stand_in.troubles["discover"] = lying(*films)
        wanted = FilmFilter(genres=frozenset({"35"}))
        assert numbers(await sources().discover(wanted)) == [1, 7]
        assert sorted(stand_in.paths) == ["discover/movie", "movie/1", "movie/7"]

    async def test_what_a_film_is_counts_and_not_what_the_list_told(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(film(1), film(2, genres=[{"id": 27}]), film(3, vote_count=3))
        stand_in.troubles["discover"] = lying(film(1), film(2), film(3))
        wanted = FilmFilter(without_genres=frozenset({"27"}))
        assert numbers(await sources().discover(wanted)) == [1]

    async def test_a_film_that_turns_out_to_be_for_adults_is_dropped_under_every_ceiling(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(film(1, adult=True), film(2))
        stand_in.troubles["discover"] = lying(film(1), film(2))
        assert numbers(await sources().discover(FilmFilter(ceiling="R"))) == [2]

    async def test_films_that_are_left_out_make_room_for_those_of_further_pages(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 101)))
        found = await sources().discover(COMEDIES, without=range(1, 51))
        assert numbers(found) == list(range(51, 81))
        assert stand_in.paths.count("discover/movie") == 4

    async def test_no_more_is_asked_than_is_needed(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 501)))
        assert numbers(await sources().discover(COMEDIES)) == list(range(1, 31))
        assert stand_in.paths.count("discover/movie") == 2
        assert len(stand_in.asked) == 2 + 30

    async def test_pages_end_where_tmdb_has_no_more(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 501)))
        assert await sources().discover(COMEDIES, without=range(1000)) == []
        assert len(stand_in.asked) == 25

    async def test_pages_end_ten_after_those_that_are_left_out(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 501)))
        elsewhere = range(10_000, 10_100)
        stand_in.troubles["discover"] = says(json.dumps({"results": [], "total_pages": 500}))
        assert await sources().discover(COMEDIES, without=elsewhere) == []
        assert len(stand_in.asked) == 10 + 5

    async def test_films_go_on_after_hundreds_that_are_left_out(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 501)))
        found = await sources().discover(COMEDIES, without=range(1, 401))
        assert numbers(found) == list(range(401, 431))

    async def test_films_that_do_not_pass_do_not_stand_before_those_that_do(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        over = [film(number, certification="R") for number in range(1, 31)]
        fitting = [film(number) for number in range(31, 41)]
        stand_in.add(*over, *fitting)
        stand_in.troubles["discover"] = lying(*over, *fitting)
        found = await sources().discover(COMEDIES)
        assert numbers(found) == list(range(31, 41))

    async def test_the_second_time_nobody_is_asked(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 11)))
        first = await sources().discover(COMEDIES)
        asked = len(stand_in.asked)
        assert await sources().discover(COMEDIES) == first
        assert len(stand_in.asked) == asked

    async def test_many_at_once_ask_each_question_once(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 11)))
        source = sources()
        found = await asyncio.gather(*(source.discover(COMEDIES) for _ in range(10)))
        assert all(one == found[0] for one in found)
        assert sorted(stand_in.paths) == sorted({*stand_in.paths})


class TestDegrading:
    @pytest.mark.parametrize("trouble", [*TROUBLES, "is asked too often", "refuses us"])
    async def test_where_tmdb_is_in_trouble_the_catalogue_answers(
        self, sources: Sources, stand_in: StandIn, catalogue: Catalogue, trouble: str
    ) -> None:
        troubles = TROUBLES | {
            "is asked too often": lambda _: status(429, Retry_After="60"),
            "refuses us": lambda _: status(401),
        }
        stand_in.troubles[""] = troubles[trouble](stand_in)
        source = sources(seconds=0.3)
        assert await source.discover(COMEDIES) == await catalogue.discover(COMEDIES) != []
        some = (await catalogue.discover(COMEDIES))[0]
        assert await source.film(some.tmdb_movie_id) == some
        assert await source.search(some.title) == await catalogue.search(some.title) != []

    async def test_it_says_so_once_for_each_failure_and_then_no_more(
        self, sources: Sources, stand_in: StandIn, caplog: pytest.LogCaptureFixture
    ) -> None:
        stand_in.troubles[""] = status(500)
        source = sources()
        for _ in range(10):
            await source.discover(COMEDIES)
        assert [record.getMessage() for record in caplog.records] == [
            "TMDB sends unusable responses: TMDB responds with status 500."
        ] * 3
        assert len(stand_in.asked) == 3

    async def test_what_was_asked_before_is_known_for_a_day_without_tmdb(
        self, sources: Sources, stand_in: StandIn, clock: Clock, catalogue: Catalogue
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 11)))
        known = await sources().discover(COMEDIES)
        stand_in.troubles[""] = stand_in.hang_up
        clock.ahead = 11 * HOUR
        assert await sources().discover(COMEDIES) == known
        clock.ahead = 23 * HOUR
        later = await sources().discover(COMEDIES)
        assert numbers(later) == numbers(known)
        assert {one.services for one in later} == {None}, "that was too long ago"
        clock.ahead = 25 * HOUR
        assert await sources().discover(COMEDIES) == await catalogue.discover(COMEDIES)

    async def test_after_half_a_day_only_services_are_asked_for_again(
        self, sources: Sources, stand_in: StandIn, clock: Clock
    ) -> None:
        stand_in.add(film(1, providers=[8]))
        source = sources()
        assert [one.services for one in await source.discover(COMEDIES)] == [("netflix",)]
        stand_in.add(film(1, providers=[337], title="Renamed"))
        clock.ahead = 13 * HOUR
        stand_in.asked.clear()
        for _ in range(2):
            (found,) = await source.discover(COMEDIES)
            assert (found.title, found.services) == ("Film 1", ("disney_plus",))
        assert stand_in.paths == ["movie/1/watch/providers"]

    async def test_services_that_do_not_come_hold_nothing_up(
        self, sources: Sources, stand_in: StandIn, clock: Clock
    ) -> None:
        stand_in.add(film(1))
        await sources().discover(COMEDIES)
        clock.ahead = 13 * HOUR
        stand_in.troubles["movie"] = stand_in.hang
        (found,) = await sources(seconds=1).discover(COMEDIES)
        assert (found.certification, found.services) == ("PG", None)

    async def test_a_film_of_which_no_more_can_be_learned_stays_out_under_a_ceiling_below_r(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 11)))
        stand_in.troubles["movie/5"] = says("nonsense")
        below = await sources().discover(FilmFilter(ceiling="PG-13"))
        assert numbers(below) == [1, 2, 3, 4, 6, 7, 8, 9, 10]
        all_of_them = await sources().discover(FilmFilter(ceiling="R"))
        assert numbers(all_of_them) == list(range(1, 11))
        assert (all_of_them[4].certification, all_of_them[4].services) == (None, None)

    @pytest.mark.parametrize("trouble", ["hangs", "fails"])
    async def test_where_too_few_are_left_the_catalogue_answers(
        self, sources: Sources, stand_in: StandIn, catalogue: Catalogue, trouble: str
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 11)))
        stand_in.troubles["movie"] = TROUBLES[trouble](stand_in)
        found = await sources(seconds=0.3).discover(COMEDIES, without=[1])
        assert found == await catalogue.discover(COMEDIES, without=[1])

    async def test_films_of_which_nothing_comes_are_not_waited_for(
        self, sources: Sources, stand_in: StandIn, catalogue: Catalogue
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 11)))
        stand_in.troubles["movie"] = stand_in.hang
        source = sources(seconds=600, patience=0.3)
        assert await source.discover(COMEDIES) == await catalogue.discover(COMEDIES)

    async def test_a_further_page_that_does_not_come_is_done_without(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 101)))

        async def first_only(request: web.Request) -> web.StreamResponse:
            if request.query["page"] != "1":
                return web.Response(status=500)
            del stand_in.troubles["discover"]
            try:
                return await stand_in.answer(request)
            finally:
                stand_in.troubles["discover"] = first_only

        stand_in.troubles["discover"] = first_only
        assert numbers(await sources().discover(COMEDIES)) == list(range(1, 21))

    async def test_a_store_that_fails_costs_only_the_cache(
        self, sources: Sources, stand_in: StandIn, tmp_path: Path
    ) -> None:
        stand_in.add(*(film(number) for number in range(1, 11)))
        always = Hostility(throttled_reads=1, throttled_writes=1)
        async with hostile_file(tmp_path, [tmdb_cache], seed=1, hostility=always) as engine:
            source = sources(store=Store(engine))
            assert numbers(await source.discover(COMEDIES)) == list(range(1, 11))
            assert await source.film(1) is not None

    async def test_closing_while_something_is_asked_ends_it(
        self, sources: Sources, stand_in: StandIn, catalogue: Catalogue
    ) -> None:
        stand_in.troubles[""] = stand_in.hang
        source = sources()
        asking = asyncio.create_task(source.discover(COMEDIES))
        await stand_in.arrived.wait()
        await source.close()
        assert await asking == await catalogue.discover(COMEDIES)


class TestFilm:
    async def test_one_film(self, sources: Sources, stand_in: StandIn) -> None:
        stand_in.add(film(7, certification="R"))
        found = await sources().film(7)
        assert found is not None
        assert (found.title, found.certification, found.imdb_id) == ("Film 7", "R", "tt0000007")

    async def test_one_that_tmdb_does_not_know_may_be_in_the_catalogue(
        self, sources: Sources, catalogue: Catalogue
    ) -> None:
        some = (await catalogue.discover(FilmFilter()))[0]
        assert await sources().film(some.tmdb_movie_id) == some

    @pytest.mark.parametrize("number", [0, -1, 2**31, 10**30])
    async def test_a_number_that_no_film_has_is_not_asked_for(
        self, sources: Sources, stand_in: StandIn, number: int
    ) -> None:
        assert await sources().film(number) is None
        assert stand_in.asked == []

    async def test_one_for_adults_is_none(self, sources: Sources, stand_in: StandIn) -> None:
        stand_in.add(film(2**31 - 1, adult=True))
        assert await sources().film(2**31 - 1) is None

    async def test_the_services_are_those_of_the_region(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        offers = {"DE": {"flatrate": [{"provider_id": 30}]}, "US": {"flatrate": []}}
        stand_in.add(film(7, **{"watch/providers": {"results": offers}}))
        for region, services in (("DE", ("wow",)), ("US", ()), ("FR", ())):
            found = await sources(region=region).film(7)
            assert found is not None
            assert found.services == services


class TestSearch:
    async def test_films_by_title(self, sources: Sources, stand_in: StandIn) -> None:
        stand_in.add(film(1, title="The Matrix"), film(2, title="Matrix Again"), film(3))
        assert numbers(await sources().search("MATRIX")) == [1, 2]
        assert numbers(await sources().search("matrix", limit=1)) == [1]
        assert numbers(await sources().search("of such a film nobody has heard")) == []

    async def test_none_is_for_adults(self, sources: Sources, stand_in: StandIn) -> None:
        stand_in.add(film(1, adult=True), film(2))
        assert numbers(await sources().search("film")) == [2]

    async def test_nothing_is_found_for_nothing(self, sources: Sources, stand_in: StandIn) -> None:
        assert await sources().search(" \n") == []
        assert stand_in.asked == []

    async def test_any_text_may_be_asked_for(self, sources: Sources, stand_in: StandIn) -> None:
        text = "a&b=c #?+%7C|ü\ud800\x00 " + "x" * 1000
        assert await sources().search(text) == []
        assert stand_in.asked[0].query["query"] == "a&b=c #?+%7c|ü?\x00 " + "x" * 83
