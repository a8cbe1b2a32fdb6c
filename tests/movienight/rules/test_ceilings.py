"""What may be shown to whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.accounts.tables import Ceiling, User
from commonroom.catalog.films import CERTIFICATIONS, Certification
from commonroom.movienight.rules.ceilings import CEILINGS, ceiling_of, passes, raises, strictest
from commonroom.movienight.rules.tastes import Attendee, taste_of
from commonroom.movienight.tables import Preferences
from tests.movienight.rules.companies import MOMENT, attendees, ceilings, companies, preferences

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
