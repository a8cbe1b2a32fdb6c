"""Which films come onto a shortlist, in which order, and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.movienight.rules.preferences import Taste, taste_of
from commonroom.movienight.rules.suggestions import (
    MAX_REASONS,
    public_reasons,
    rank,
    reasons,
    relaxations,
    score,
)
from commonroom.titles.films import Film
from commonroom.titles.genres import GENRES
from tests.movienight.rules.companies import companies

COMEDY, DRAMA, HORROR = "35", "18", "27"
TASTE = Taste(
    likes=frozenset({COMEDY, DRAMA}),
    excluded=frozenset({HORROR}),
    ceiling="PG",
    shared=frozenset({COMEDY}),
)
SERVICES = ["disney_plus", "netflix"]

films = st.builds(
    Film,
    tmdb_id=st.integers(1, 10**6),
    title=st.just("A film"),
    genres=st.lists(st.sampled_from(sorted(GENRES)[:6]), max_size=3, unique=True).map(tuple),
    popularity=st.floats(0, 100),
    vote_average=st.none() | st.floats(0, 10),
    services=st.sampled_from([None, (), ("netflix",), ("mubi", "disney_plus")]),
)
shelves = st.lists(films, max_size=12, unique_by=lambda film: film.tmdb_movie_id)


def film(tmdb_movie_id: int = 1, **facts: Any) -> Film:
    """A film of which little is known but this."""
    return Film(tmdb_id=tmdb_movie_id, title="A film", **facts)


class TestScore:
    def test_is_highest_for_the_most_popular_film_on_a_service_with_liked_genres_only(self) -> None:
        best = film(popularity=80, services=("netflix",), genres=(COMEDY, DRAMA))

        assert score(best, TASTE, SERVICES, 80) == pytest.approx(1.0)

    @pytest.mark.parametrize(
        "facts, expected",
        [
            ({"popularity": 40}, 0.25),
            ({"services": ("netflix", "disney_plus")}, 0.3),
            ({"services": ("mubi",)}, 0),
            ({"services": None}, 0),
            ({"genres": (COMEDY,)}, 0.2),
            ({"genres": (COMEDY, HORROR)}, 0.1),
            ({"genres": (HORROR,)}, 0),
            ({}, 0),
        ],
    )
    def test_weighs_popularity_a_service_and_the_share_of_liked_genres(
        self, facts: dict[str, Any], expected: float
    ) -> None:
        assert score(film(**facts), TASTE, SERVICES, 80) == pytest.approx(expected)

    def test_counts_a_disc_on_the_shelf_as_a_service_and_both_once(self) -> None:
        streamed = film(services=("netflix",))

        assert score(film(), TASTE, SERVICES, 80, is_at_hand=True) == pytest.approx(0.3)
        assert score(streamed, TASTE, SERVICES, 80, is_at_hand=True) == pytest.approx(0.3)

    def test_compares_services_by_slug_and_never_by_display_name(self) -> None:
        named = film(services=("Netflix", "Disney+", "NETFLIX"))

        assert score(named, TASTE, SERVICES, 80) == 0
        assert score(film(services=("netflix",)), TASTE, ["Netflix"], 80) == 0

    def test_is_nothing_where_no_film_is_popular(self) -> None:
        assert score(film(popularity=0), TASTE, SERVICES, 0) == 0

    @given(films, companies, st.floats(0, 100))
    def test_goes_from_nothing_to_one(self, any_: Film, company: Any, more: float) -> None:
        scored = score(any_, taste_of(company), SERVICES, any_.popularity + more)

        assert 0 <= scored <= 1 + 1e-9


class TestRanked:
    def test_breaks_ties_by_vote_average_and_then_by_the_lower_id(self) -> None:
        tied = [
            film(4, vote_average=None),
            film(3, vote_average=7.0),
            film(2, vote_average=8.0),
            film(1, vote_average=7.0),
        ]

        assert [one.tmdb_movie_id for one in rank(tied, TASTE, [])] == [2, 1, 3, 4]

    def test_measures_popularity_against_the_most_popular_of_these_films(self) -> None:
        liked, popular = film(1, popularity=1, genres=(COMEDY,)), film(2, popularity=1.5)
        well_known = film(3, popularity=100)

        assert rank([liked, popular], TASTE, [])[0] == liked
        assert rank([liked, popular, well_known], TASTE, []) == [well_known, liked, popular]

    @given(shelves, companies, st.randoms(use_true_random=False))
    def test_gives_the_same_list_whatever_order_films_and_members_come_in(
        self, shelf: list[Film], company: list[Any], chance: Any
    ) -> None:
        first = rank(shelf, taste_of(company), SERVICES)
        shuffled, others = list(shelf), list(company)
        chance.shuffle(shuffled)
        chance.shuffle(others)

        assert rank(shuffled, taste_of(others), SERVICES[::-1]) == first

    @given(shelves, companies, st.data())
    def test_never_puts_a_film_further_down_because_somebody_has_it(
        self, shelf: list[Film], company: list[Any], data: st.DataObject
    ) -> None:
        if not shelf:
            return
        taste = taste_of(company)
        had = data.draw(st.sampled_from(shelf))
        before, after = rank(shelf, taste, []), rank(shelf, taste, [], {had.tmdb_movie_id})

        assert after.index(had) <= before.index(had)
        assert [one for one in after if one != had] == [one for one in before if one != had]

    def test_of_nothing_is_nothing(self) -> None:
        assert rank([], TASTE, SERVICES) == []


class TestSteps:
    def test_begin_with_everything_that_is_asked_for(self) -> None:
        first = next(relaxations(TASTE))

        assert first.relaxed == ()
        assert first.wanted.genres == TASTE.likes
        assert first.wanted.without_genres == TASTE.excluded
        assert (first.wanted.votes, first.wanted.since) == (50, 1980)

    def test_relax_genres_then_the_vote_floor_then_the_year(self) -> None:
        assert [step.relaxed for step in relaxations(TASTE)] == [
            (),
            ("genres",),
            ("genres", "votes"),
            ("genres", "votes", "year"),
        ]
        wanted = [step.wanted for step in relaxations(TASTE)]
        assert [bool(one.genres) for one in wanted] == [True, False, False, False]
        assert [one.votes for one in wanted] == [50, 50, 10, 10]
        assert [one.since for one in wanted] == [1980, 1980, 1980, 1960]

    @given(companies)
    def test_never_relax_the_ceiling_or_what_everybody_dislikes(self, company: Any) -> None:
        taste = taste_of(company)

        assert {step.wanted.ceiling for step in relaxations(taste)} == {taste.ceiling}
        assert {step.wanted.without_genres for step in relaxations(taste)} == {taste.excluded}


class TestReasons:
    def test_name_what_everyone_likes_where_it_is_and_that_it_is_highly_rated(self) -> None:
        best = film(genres=(DRAMA, COMEDY), services=("mubi", "netflix"), vote_average=7.5)

        assert reasons(best, TASTE, SERVICES) == ["everyone_likes#35", "on#netflix", "highly_rated"]

    def test_name_what_somebody_likes_where_there_is_nothing_better(self) -> None:
        assert reasons(film(genres=(DRAMA,), vote_average=7.4), TASTE, SERVICES) == ["liked#18"]

    def test_are_never_empty(self) -> None:
        assert reasons(film(genres=(HORROR,)), TASTE, SERVICES) == ["well_known"]

    def test_go_by_slug_too(self) -> None:
        assert reasons(film(services=("Netflix",)), TASTE, ["netflix", "mubi"]) == ["well_known"]

    @pytest.mark.parametrize(
        "at_hand, list_id, expected",
        [
            (True, None, ["on_shelf", "everyone_likes#35"]),
            (False, None, ["everyone_likes#35", "lent_out"]),
            (True, "L1", ["from_list#L1", "on_shelf", "everyone_likes#35"]),
            (None, None, ["everyone_likes#35"]),
        ],
    )
    def test_say_where_it_is_from(
        self, at_hand: bool | None, list_id: str | None, expected: list[str]
    ) -> None:
        found = reasons(film(genres=(COMEDY,)), TASTE, [], is_at_hand=at_hand, list_id=list_id)

        assert found == expected

    def test_name_no_list_and_no_loan_to_everybody(self) -> None:
        codes = ["from_list#L1", "on_shelf", "everyone_likes#35", "lent_out"]

        assert public_reasons(codes) == ["from_list", "on_shelf", "everyone_likes#35"]

    @given(films, companies)
    def test_are_one_to_three_and_true(self, any_: Film, company: Any) -> None:
        taste = taste_of(company)
        rated = replace(any_, vote_average=8.0, services=("netflix",))

        for one in (any_, rated):
            found = reasons(one, taste, SERVICES)
            assert 1 <= len(found) <= MAX_REASONS
            named = {code.partition("#")[2] for code in found if "likes" in code or "liked" in code}
            assert named <= set(one.genres) & taste.likes
