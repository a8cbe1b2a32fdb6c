"""What may be shown to whom."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import InvalidField
from commonroom.movienight.rules.preferences import (
    CEILINGS,
    Attendee,
    Taste,
    TastesMissing,
    ceiling_of,
    check_enough_tastes,
    clean_genres,
    passes,
    raises,
    strictest,
    taste_of,
)
from commonroom.movienight.rules.suggestions import relaxations
from commonroom.movienight.tables import Preferences
from commonroom.titles.films import CERTIFICATIONS
from commonroom.titles.genres import GENRES
from commonroom.titles.titles import Certification
from tests.movienight.rules.companies import (
    FEW,
    FILMS,
    MOMENT,
    attendees,
    ceilings,
    companies,
    preferences,
)

CHILD = User(
    user_id="managed_1",
    display_name="Zoe",
    is_managed=True,
    parent_user_id="ben",
    content_rating_ceiling="PG",
    created_at=MOMENT,
)
GROWN_UP = User(user_id="ben", display_name="Ben", created_at=MOMENT)


class TestStrictest:
    @given(st.lists(ceilings))
    def test_is_over_none_of_them_and_in_no_order(self, given: list[Ceiling]) -> None:
        lowest = strictest(given)

        assert strictest(given[::-1]) == lowest
        assert not any(raises(one, lowest) for one in given)
        assert lowest in given or (not given and lowest == "R")


class TestCeilingOf:
    @given(preferences())
    def test_is_the_stricter_of_what_was_chosen_and_what_was_set(self, chosen: Preferences) -> None:
        for set_for_it in CEILINGS:
            member = replace(CHILD, content_rating_ceiling=set_for_it)
            assert ceiling_of(member, chosen) == strictest([set_for_it, chosen.max_content_rating])

    @pytest.mark.parametrize("set_for_it", CEILINGS)
    def test_counts_for_a_managed_member_that_never_chose(self, set_for_it: Ceiling) -> None:
        assert ceiling_of(replace(CHILD, content_rating_ceiling=set_for_it), None) == set_for_it

    def test_is_the_highest_for_somebody_who_never_chose_and_for_whom_nobody_did(self) -> None:
        assert ceiling_of(GROWN_UP, None) == "R"


class TestTheCeilingOfACompany:
    @given(companies, attendees())
    def test_never_rises_by_adding_a_person(
        self, company: list[Attendee], another: Attendee
    ) -> None:
        before, after = taste_of(company).ceiling, taste_of([*company, another]).ceiling

        assert not raises(before, after)
        assert not raises(ceiling_of(another.member, another.preferences), after)

    @given(companies, ceilings)
    def test_is_lowered_by_a_managed_member_without_preferences(
        self, company: list[Attendee], set_for_it: Ceiling
    ) -> None:
        child = Attendee(replace(CHILD, content_rating_ceiling=set_for_it), None)

        assert not raises(set_for_it, taste_of([*company, child]).ceiling)

    @given(companies)
    def test_is_that_of_somebody_in_it(self, company: list[Attendee]) -> None:
        of_each = [ceiling_of(one.member, one.preferences) for one in company]

        assert taste_of(company).ceiling in of_each


class TestPasses:
    @pytest.mark.parametrize(
        "ceiling, highest", [("G", "G"), ("PG", "PG"), ("PG-13", "PG-13"), ("R", "R")]
    )
    def test_lets_through_what_is_at_or_under_the_ceiling(
        self, ceiling: Ceiling, highest: Certification
    ) -> None:
        through = [one for one in CERTIFICATIONS if passes(one, ceiling)]

        assert through == list(CERTIFICATIONS[: CERTIFICATIONS.index(highest) + 1])

    @pytest.mark.parametrize("ceiling", CEILINGS)
    def test_lets_nobody_see_what_is_rated_above_r(self, ceiling: Ceiling) -> None:
        assert not passes("NC-17", ceiling)

    @pytest.mark.parametrize("ceiling", ["G", "PG", "PG-13"])
    def test_an_unknown_certification_never_passes_a_ceiling_below_r(
        self, ceiling: Ceiling
    ) -> None:
        assert not passes(None, ceiling)
        assert passes(None, "R")

    @pytest.mark.parametrize("ceiling", CEILINGS)
    @pytest.mark.parametrize("odd", ["", "g", "TV-MA", "NR", "PG 13", "18"])
    def test_a_certification_from_elsewhere_passes_nothing(
        self, odd: str, ceiling: Ceiling
    ) -> None:
        assert not passes(odd, ceiling)

    @given(st.sampled_from(CERTIFICATIONS) | st.none(), ceilings, ceilings)
    def test_under_a_lower_ceiling_nothing_more_passes(
        self, film: Certification | None, one: Ceiling, other: Ceiling
    ) -> None:
        if passes(film, strictest([one, other])):
            assert passes(film, one)
            assert passes(film, other)


class TestRaises:
    def test_is_true_of_every_step_up_and_of_taking_a_ceiling_away(self) -> None:
        steps: list[Ceiling | None] = [*CEILINGS, None]
        up = [(one, other) for one in steps for other in steps if raises(one, other)]

        assert up == [(one, other) for n, one in enumerate(steps) for other in steps[n + 1 :]]


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
