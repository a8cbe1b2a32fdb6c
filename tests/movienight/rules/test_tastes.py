"""What those who watch tonight like together."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.catalog.films import GENRES
from commonroom.errors import InvalidField
from commonroom.movienight.errors import TastesMissing
from commonroom.movienight.rules.ceilings import passes
from commonroom.movienight.rules.suggestions import relaxations
from commonroom.movienight.rules.tastes import (
    Attendee,
    Taste,
    check_enough_tastes,
    clean_genres,
    taste_of,
)
from commonroom.movienight.tables import Preferences
from tests.movienight.rules.companies import FEW, FILMS, MOMENT, attendees, companies, preferences

KNOWN = list(GENRES)
SOMEBODY = User(user_id="somebody", display_name="Somebody", created_at=MOMENT)


def attendee(
    name: str, likes: list[str] | None = None, dislikes: list[str] | None = None
) -> Attendee:
    """Somebody, who chose something unless they like nothing."""
    member = User(user_id=name.casefold(), display_name=name, created_at=MOMENT)
    if likes is None:
        return Attendee(member, None)
    return Attendee(
        member,
        Preferences(
            group_id="home",
            user_id=member.user_id,
            genre_likes=likes,
            genre_dislikes=dislikes or [],
            max_content_rating="R",
            updated_at=MOMENT,
        ),
    )


def candidates(taste: Taste) -> list[int]:
    """What a film source gives for a taste, before anything is relaxed."""
    wanted = next(relaxations(taste)).wanted
    return [
        film.tmdb_movie_id
        for film in FILMS
        if (not wanted.genres or not wanted.genres.isdisjoint(film.genres))
        and wanted.without_genres.isdisjoint(film.genres)
        and passes(film.certification, taste.ceiling)
    ]


class TestTasteOf:
    @given(companies, st.randoms())
    def test_does_not_depend_on_the_order_of_the_members(
        self, company: list[Attendee], chance: Random
    ) -> None:
        shuffled = sorted(company, key=lambda _: chance.random())

        assert taste_of(shuffled) == taste_of(company)

    def test_likes_are_whatever_anybody_likes(self) -> None:
        taste = taste_of([attendee("Ada", ["35", "18"]), attendee("Ben", ["18", "27"])])

        assert taste.likes == {"35", "18", "27"}
        assert taste.shared == {"18"}

    def test_what_one_likes_counts_where_others_dislike_it(self) -> None:
        ada = attendee("Ada", ["35", "18"], ["27", "37"])
        ben = attendee("Ben", ["27", "37"], ["35", "18"])

        taste = taste_of([ada, ben])

        assert taste.likes == {"35", "18", "27", "37"}
        assert taste.excluded == frozenset()

    def test_a_genre_is_excluded_only_where_every_attendee_dislikes_it(self) -> None:
        ada = attendee("Ada", ["35", "18"], ["27", "37"])
        ben = attendee("Ben", ["35", "18"], ["27", "36"])

        assert taste_of([ada]).excluded == {"27", "37"}
        assert taste_of([ada, ben]).excluded == {"27"}
        assert taste_of([ada, ben, attendee("Eve")]).excluded == frozenset()

    def test_of_nobody_is_nothing(self) -> None:
        taste = taste_of([])

        assert taste.likes == taste.excluded == taste.shared == frozenset()

    @given(st.lists(attendees(), max_size=7), preferences(), st.data())
    def test_adding_a_dislike_never_adds_a_film(
        self, others: list[Attendee], chosen: Preferences, data: st.DataObject
    ) -> None:
        genre = data.draw(st.sampled_from([one for one in FEW if one not in chosen.genre_likes]))
        disliking = replace(chosen, genre_dislikes=[*chosen.genre_dislikes, genre])
        before, after = (
            candidates(taste_of([*others, Attendee(SOMEBODY, one)])) for one in (chosen, disliking)
        )

        assert set(after) <= set(before)

    @given(companies)
    def test_nothing_that_is_excluded_is_liked_by_anybody(self, company: list[Attendee]) -> None:
        taste = taste_of(company)

        assert taste.excluded.isdisjoint(taste.likes)


class TestCheckEnoughTastes:
    def test_two_are_enough_in_a_large_company(self) -> None:
        company = [attendee(name, ["35", "18"]) for name in ("Ada", "Ben")]

        check_enough_tastes([*company, attendee("Eve"), attendee("Fay")])

    def test_somebody_alone_is_enough(self) -> None:
        check_enough_tastes([attendee("Ada", ["35", "18"])])

    def test_says_who_is_missing(self) -> None:
        company = [attendee("Fay"), attendee("Ada", ["35", "18"]), attendee("Ben"), attendee("Eve")]

        with pytest.raises(TastesMissing, match="Ben, Eve and Fay") as caught:
            check_enough_tastes(company)

        assert caught.value.status == 422
        assert set(caught.value.extensions["missing"]) == {"ben", "eve", "fay"}

    def test_somebody_alone_who_said_nothing_is_missing(self) -> None:
        with pytest.raises(TastesMissing, match="Ada"):
            check_enough_tastes([attendee("Ada")])


class TestGenres:
    def test_are_kept_each_once_in_the_order_given(self) -> None:
        assert clean_genres(["18", "35", "18"], ["27", "27"]) == (["18", "35"], ["27"])

    @given(st.sets(st.sampled_from(KNOWN), min_size=2), st.sets(st.sampled_from(KNOWN)))
    def test_fit_where_none_is_in_both(self, likes: set[str], dislikes: set[str]) -> None:
        kept = clean_genres([*likes], [*(dislikes - likes)])

        assert (set(kept[0]), set(kept[1])) == (likes, dislikes - likes)

    @pytest.mark.parametrize(
        "likes, dislikes, field",
        [
            ([], [], "genre_likes"),
            (["35"], [], "genre_likes"),
            (["35", "35"], [], "genre_likes"),
            (["35", "nonsense"], [], "genre_likes"),
            (["35", "Comedy"], [], "genre_likes"),
            ([str(n) for n in range(21)], [], "genre_likes"),
            (["35", "18"], ["0"], "genre_dislikes"),
            (["35", "18"], [str(n) for n in range(21)], "genre_dislikes"),
            (["35", "18"], ["18"], "genre_dislikes"),
        ],
    )
    def test_name_the_field_that_does_not_fit(
        self, likes: list[str], dislikes: list[str], field: str
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            clean_genres(likes, dislikes)

        assert caught.value.field == field
