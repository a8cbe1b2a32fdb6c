"""Shows from TMDB, from the cache, and from the catalogue behind both."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.titles.builtin import Catalogue
from commonroom.titles.genres import TITLE_GENRES
from commonroom.titles.titles import TitleFacts
from commonroom.titles.tmdb.facts import listed_show, whole_show
from commonroom.titles.tmdb.responses import Failed
from commonroom.titles.tmdb.show_responses import read_show_details, read_show_listing
from tests.support.engines import Clock
from tests.support.tmdb import TROUBLES, StandIn, says, show
from tests.titles.tmdb.conftest import Sources

HOUR = 3600

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def whole(told: dict[str, Any]) -> TitleFacts:
    """A show as it is read from all that TMDB tells of it."""
    details = read_show_details(told["id"], "US", json.dumps(told).encode())
    return whole_show(details, details.offers)


class TestWholeShow:
    def test_everything_that_is_told(self) -> None:
        assert whole(show(396, providers=[8, 1899, 999_999])) == TitleFacts(
            content_type="SHOW",
            content_id="396",
            title="Show 396",
            year=2008,
            end_year=2013,
            genres=("878", "14", "18"),
            seasons=5,
            episodes=62,
            status="ended",
            makers=("Maker",),
            cast=("First", "Second"),
            popularity=604,
            vote_average=8.5,
            vote_count=4000,
            services=("netflix", "max"),
            poster_path="/showposter00000396.jpg",
            overview="People meet again.",
            tmdb_id=396,
            imdb_id="tt0000396",
        )

    def test_what_is_missing_is_forgiven(self) -> None:
        bare = whole({"id": 7, "name": "Bare"})

        assert (bare.title, bare.status, bare.end_year) == ("Bare", "ongoing", None)
        assert (bare.seasons, bare.episodes, bare.services) == (None, None, None)

    @pytest.mark.parametrize("name", sorted(show(7).keys() - {"id", "name"}))
    def test_so_is_whatever_is_null(self, name: str) -> None:
        assert whole(show(7, **{name: None})).title == "Show 7"

    @pytest.mark.parametrize(
        "told, status, end_year",
        [
            ("Ended", "ended", 2013),
            ("Canceled", "cancelled", 2013),
            ("Returning Series", "ongoing", None),
            ("In Production", "ongoing", None),
            ("Something new", "ongoing", None),
        ],
    )
    def test_a_show_that_is_over_has_a_last_year(
        self, told: str, status: str, end_year: int | None
    ) -> None:
        read = whole(show(7, status=told))

        assert (read.status, read.end_year) == (status, end_year)

    @pytest.mark.parametrize(
        "facts",
        [
            {"name": ""},
            {"name": " "},
            {"id": 8},
            {"number_of_seasons": -1},
            {"vote_average": 11},
            {"number_of_episodes": "many"},
        ],
    )
    def test_what_cannot_be_true_is_refused(self, facts: dict[str, Any]) -> None:
        with pytest.raises(Failed):
            read_show_details(7, "US", json.dumps(show(7) | facts).encode())

    def test_long_texts_and_lists_are_cut(self) -> None:
        people = [{"name": "n" * 300, "order": number} for number in range(50)]
        read = whole(
            show(
                7,
                name="x" * 300,
                overview="o" * 5000,
                created_by=people,
                credits={"cast": people, "crew": []},
            )
        )

        assert (len(read.title), len(read.overview or "")) == (200, 1000)
        assert len(read.makers) == 1  # they all have one name
        assert len(read.cast[0]) == 100

    @given(st.dictionaries(st.sampled_from(sorted(show(7))), anything))
    def test_whatever_is_told_gives_facts_in_order_or_is_refused(
        self, facts: dict[str, Any]
    ) -> None:
        try:
            read = read_show_details(7, "US", json.dumps(show(7) | facts).encode())
        except Failed:
            return
        made = whole_show(read, read.offers)
        assert made.title.strip()
        assert {*made.genres} <= TITLE_GENRES.keys()


class TestListing:
    def test_shows_that_make_no_sense_are_left_out(self) -> None:
        listed = json.dumps({"results": [{"name": "No id"}, {"id": 1, "name": "One"}, 7]}).encode()

        assert [listed_show(one).title for one in read_show_listing(listed).results] == ["One"]

    def test_a_list_of_nothing_but_nonsense_is_refused(self) -> None:
        with pytest.raises(Failed):
            read_show_listing(b'{"results": [{"title": "a film"}, 7]}')


class TestSource:
    async def test_a_show_is_asked_for_once_a_day(
        self, sources: Sources, stand_in: StandIn, clock: Clock
    ) -> None:
        stand_in.add_shows(show(7))
        source = sources()
        for _ in range(3):
            found = await source.show(7)
            assert found is not None
            assert (found.title, found.services) == ("Show 7", ("netflix",))
        assert stand_in.paths == ["tv/7"]
        clock.ahead += 25 * HOUR
        await source.show(7)
        assert stand_in.paths == ["tv/7", "tv/7"]

    async def test_who_has_it_is_asked_for_again_in_the_second_half_of_the_day(
        self, sources: Sources, stand_in: StandIn, clock: Clock
    ) -> None:
        stand_in.add_shows(show(7))
        source = sources()
        await source.show(7)
        clock.ahead += 13 * HOUR
        stand_in.add_shows(show(7, providers=[337]))
        found = await source.show(7)
        assert found is not None
        assert found.services == ("disney_plus",)
        assert stand_in.paths == ["tv/7", "tv/7/watch/providers"]

    async def test_shows_are_found_by_name_each_once(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add_shows(show(1, name="Dark"), show(2, name="Dark Matter"), show(3, name="Light"))
        stand_in.add_shows(show(4, name="Dark and adult", adult=True))
        found = await sources().search_shows("DARK  ")
        assert [one.title for one in found] == ["Dark", "Dark Matter"]
        assert found[0].genres == ("878", "14", "18")
        assert [one.title for one in await sources().search_shows("dark", 1)] == ["Dark"]
        assert await sources().search_shows(" ") == []

    @pytest.mark.parametrize("unknown", [0, -1, 10**12])
    async def test_an_impossible_id_is_nobodys(
        self, sources: Sources, stand_in: StandIn, unknown: int
    ) -> None:
        assert await sources().show(unknown) is None
        assert stand_in.asked == []

    async def test_what_is_not_for_households_is_not_there(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add_shows(show(7, adult=True))
        assert await sources().show(7) is None

    @pytest.mark.parametrize("trouble", TROUBLES)
    async def test_in_trouble_the_catalogue_answers(
        self, sources: Sources, stand_in: StandIn, trouble: str
    ) -> None:
        stand_in.troubles[""] = TROUBLES[trouble](stand_in)
        source = sources(seconds=0.2)
        catalogue = Catalogue()
        assert await source.show(1396) == await catalogue.show(1396)
        assert await source.search_shows("the wire") == await catalogue.search_shows("the wire")

    async def test_after_three_failures_tmdb_is_left_alone_for_films_and_shows_alike(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.troubles[""] = says("nonsense")
        source = sources()
        for number in range(1396, 1400):
            await source.show(number)
        await source.film(603)
        assert len(stand_in.asked) == 3
