"""What is read of TMDB's answers, and what is made of it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.titles.films import CERTIFICATIONS, Film
from commonroom.titles.genres import GENRES
from commonroom.titles.posters import POSTER_PATH
from commonroom.titles.streaming_services import SERVICES
from commonroom.titles.tmdb.facts import listed_film, whole_film
from commonroom.titles.tmdb.responses import Failed, read_details, read_listing, read_offers
from tests.support.tmdb import film

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def whole(told: Any, region: str = "US") -> Film:
    """The film that is made of an answer."""
    details = read_details(603, region, json.dumps(told).encode())
    return whole_film(details, details.offers)


def releases(*certifications: tuple[str | None, int | None], country: str = "US") -> Any:
    """Releases in a country."""
    told = [{"certification": one, "type": kind} for one, kind in certifications]
    return {"results": [{"iso_3166_1": country, "release_dates": told}]}


def listing(*films: Any, **more: Any) -> bytes:
    """A page of a list."""
    return json.dumps({"results": films, **more}).encode()


class TestWholeFilm:
    def test_everything_that_is_told(self) -> None:
        assert whole(film(603, certification="R", providers=[8, 1899, 999_999])) == Film(
            tmdb_id=603,
            title="Film 603",
            year=1999,
            genres=("35",),
            runtime=100,
            certification="R",
            makers=("Boss",),
            cast=("First", "Second"),
            popularity=397,
            vote_average=7.5,
            vote_count=5000,
            services=("netflix", "max"),
            poster_path="/poster00000603.jpg",
            overview="People meet.",
            imdb_id="tt0000603",
        )

    def test_what_is_missing_is_forgiven(self) -> None:
        assert whole({"id": 603, "title": "Bare"}) == Film(tmdb_id=603, title="Bare", vote_count=0)

    @pytest.mark.parametrize("name", sorted(film(603).keys() - {"id", "title"}))
    def test_so_is_whatever_is_null(self, name: str) -> None:
        assert whole(film(603, **{name: None})).title == "Film 603"

    @pytest.mark.parametrize(
        "facts",
        [
            {"id": 604},
            {"id": "603"},
            {"id": None},
            {"title": ""},
            {"title": "  \n"},
            {"title": 603},
            {"popularity": "high"},
            {"popularity": -1},
            {"vote_average": 11},
            {"vote_count": -1},
            {"vote_count": 10**30},
            {"runtime": 100_000},
            {"genres": "Comedy"},
            {"genres": [{"id": "35"}]},
            {"credits": []},
            {"release_dates": {"results": {"US": []}}},
            {"watch/providers": {"results": []}},
            {"poster_path": "/" + "x" * 1000},
        ],
    )
    def test_what_cannot_be_true_is_refused(self, facts: Any) -> None:
        with pytest.raises(Failed, match="an invalid response"):
            whole(film(603, **facts))

    @pytest.mark.parametrize(
        "text",
        [b"", b"nonsense", b"[]", b"null", b'{"id": 603', b"\xff", b"[" * 100_000, b'{"id":603}'],
    )
    def test_so_is_what_is_no_film(self, text: bytes) -> None:
        with pytest.raises(Failed):
            read_details(603, "US", text)

    @pytest.mark.parametrize(
        "told, certification",
        [
            (releases(("PG-13", 3)), "PG-13"),
            (releases(("", 1), ("PG", 3), ("R", 3)), "R"),
            (releases(("PG-13", 3), ("R", 5)), "PG-13"),
            (releases(("", 3), ("G", 4), ("PG", 5)), "PG"),
            (releases((" R ", 3)), "R"),
            (releases(("NR", 3)), None),
            (releases((None, None)), None),
            (releases(("TV-MA", 6)), None),
            (releases(("G", 3), country="CA"), None),
            ({"results": []}, None),
        ],
    )
    def test_the_certification_is_that_of_american_cinemas_and_the_strictest(
        self, told: Any, certification: str | None
    ) -> None:
        assert whole(film(603, release_dates=told)).certification == certification

    def test_services_are_those_of_the_region_and_known_to_be_none_or_unknown(self) -> None:
        told = film(603, providers=[337])
        assert whole(told).services == ("disney_plus",)
        assert whole(told, region="DE").services == ()
        del told["watch/providers"]
        assert whole(told).services is None

    def test_texts_and_lists_are_bounded(self) -> None:
        people = [{"name": f"{number} {'x' * 500}", "order": number} for number in range(500)]
        crew = [{"name": f"Director {number}", "job": "Director"} for number in range(500)]
        made = whole(
            film(
                603,
                title="t" * 5000,
                overview="o" * 50_000,
                credits={"cast": people, "crew": crew},
                genres=[{"id": int(one)} for one in GENRES] * 10,
            )
        )
        assert (len(made.title), len(made.overview or "")) == (200, 1000)
        assert (len(made.cast), len(made.makers)) == (5, 5)
        assert {len(name) for name in made.cast} == {100}
        assert set(made.genres) <= GENRES.keys()

    @pytest.mark.parametrize(
        "path",
        ["../../etc/passwd", "/../x.jpg", "/abcdefgh.svg", "/abcdefgh.jpg?x", "abcdefgh.jpg"],
    )
    def test_what_is_no_path_of_a_poster_is_left_out(self, path: str) -> None:
        assert whole(film(603, poster_path=path)).poster_path is None


class TestLists:
    def test_films_that_make_no_sense_are_left_out_of_a_list(self) -> None:
        page = read_listing(
            listing({"id": 1, "title": "One"}, {"id": 2}, "three", None, {"id": 4, "title": 4})
        )
        assert [one.title for one in page.results] == ["One"]
        assert page.total_pages == 1

    def test_a_list_that_has_only_such_films_makes_no_sense(self) -> None:
        with pytest.raises(Failed):
            read_listing(listing({"name": "One"}, {"name": "Two"}))
        assert read_listing(listing(total_pages=0)).results == []

    @pytest.mark.parametrize(
        "text", [b"{}", b"[]", b'{"results": {}}', b'{"results": [], "total_pages": "many"}']
    )
    def test_so_does_what_is_no_list(self, text: bytes) -> None:
        with pytest.raises(Failed):
            read_listing(text)

    def test_a_list_is_bounded(self) -> None:
        films = [{"id": number, "title": "x" * 1000} for number in range(1, 1000)]
        page = read_listing(listing(*films))
        assert len(page.results) == 40
        assert len(page.results[0].title) == 200

    def test_offers_alone(self) -> None:
        told = {"id": 603, "results": {"DE": {"flatrate": [{"provider_id": 8}], "buy": [1]}}}
        assert read_offers("DE", json.dumps(told).encode()).results["DE"].flatrate is not None
        assert read_offers("US", json.dumps(told).encode()).results == {}


def check(made: Film) -> None:
    """What holds for every film, whatever TMDB says."""
    assert 1 <= made.tmdb_movie_id < 2**31
    assert 1 <= len(made.title) <= 200
    assert made.certification in (*CERTIFICATIONS, None)
    assert set(made.genres) <= GENRES.keys()
    assert set(made.services or ()) <= SERVICES.keys()
    assert made.poster_path is None or POSTER_PATH.fullmatch(made.poster_path)
    assert made.year is None or 0 <= made.year <= 9999
    assert 0 <= made.popularity <= 1e9
    assert made.vote_count is not None
    assert 0 <= made.vote_count <= 10**9


@given(st.dictionaries(st.sampled_from(sorted(film(603))), anything, max_size=3))
def test_whatever_is_told_of_a_film_gives_a_film_that_is_in_order_or_none(
    facts: dict[str, Any],
) -> None:
    text = json.dumps(film(603, **facts)).encode()
    try:
        read = read_details(603, "US", text)
    except Failed:
        return
    check(whole_film(read, read.offers))
    assert read_details(603, "US", msgspec.json.encode(read)) == read, "kept, it reads the same"


@given(st.lists(anything | st.dictionaries(st.sampled_from(["id", "title", "adult"]), anything)))
def test_whatever_is_in_a_list_gives_films_that_are_in_order_or_none(films: list[Any]) -> None:
    try:
        read = read_listing(listing(*films, film(603)))
    except Failed:
        return
    for one in read.results:
        check(listed_film(one))
    assert read_listing(msgspec.json.encode(read)) == read


@given(st.binary() | anything.map(lambda one: json.dumps(one).encode()))
def test_whatever_is_answered_nothing_but_a_refusal_is_raised(text: bytes) -> None:
    for read in (
        read_listing,
        lambda text: read_details(603, "US", text),
        lambda text: read_offers("US", text),
    ):
        try:
            read(text)
        except Failed:
            continue
