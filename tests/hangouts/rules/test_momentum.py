"""Momentum rises with answers, a time and a place, and never falls by itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.hangouts.rules.momentum import (
    RANK,
    gaining_from,
    is_quiet,
    momentum,
    score,
)
from commonroom.hangouts.rules.times import DAY, HOUR
from commonroom.hangouts.tables import Hangout, Momentum, Venue
from commonroom.moments import iso
from tests.support.clocks import SET_BACK

NOW = 1_800_000_000
PUB = Venue(name="The pub")


def made(**fields: Any) -> Hangout:
    plain = Hangout(
        hangout_id="h",
        title="Karaoke?",
        created_by="ada",
        created_at=iso(NOW),
        updated_at=iso(NOW),
        audience=10,
    )
    return replace(plain, **fields)


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({}, 0),
        ({"going_count": 2, "interested_count": 3}, 9),
        ({"not_going_count": 5}, 0),
        ({"interested_count": 1, "place": PUB}, 2),
        ({"interested_count": 1, "start_timestamp": NOW + 30 * DAY}, 2),
        ({"interested_count": 2, "answered_at": iso(NOW - 48 * HOUR)}, 3),
        ({"interested_count": 2, "answered_at": iso(NOW - 48 * HOUR - 1)}, 2),
        *(({"interested_count": 2, "answered_at": iso(NOW + ahead)}, 2) for ahead in SET_BACK),
        ({"interested_count": 1, "start_timestamp": NOW + 48 * HOUR}, 3),
        ({"interested_count": 1, "start_timestamp": NOW + 48 * HOUR + 1}, 2.4),
        ({"interested_count": 1, "start_timestamp": NOW + 7 * DAY}, 2.4),
        ({"interested_count": 1, "start_timestamp": NOW + 7 * DAY + 1}, 2),
        ({"interested_count": 1, "start_timestamp": NOW - HOUR, "end_timestamp": NOW + 1}, 3),
        ({"interested_count": 1, "start_timestamp": NOW - HOUR, "end_timestamp": NOW}, 2),
        (
            {"going_count": 1, "answered_at": iso(NOW), "start_timestamp": NOW + HOUR},
            (3 + 1) * 1.5 * 1.5,
        ),
    ],
)
def test_the_score_is_the_specs(fields: dict[str, Any], expected: float) -> None:
    assert score(made(**fields), NOW) == pytest.approx(expected)


@pytest.mark.parametrize(
    "people, expected", [(0, 1), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (40, 10), (500, 120)]
)
def test_it_is_gaining_from_a_share_of_its_people(people: int, expected: int) -> None:
    assert gaining_from(people) == expected


class TestStates:
    def test_a_fresh_idea_is_building(self) -> None:
        assert momentum(made(interested_count=1), NOW) == "BUILDING"

    def test_enough_interest_is_gaining(self) -> None:
        assert momentum(made(interested_count=3, other_rsvps=2), NOW) == "GAINING"

    def test_whatever_its_maker_does_alone_it_is_an_idea(self) -> None:
        alone = made(audience=1, going_count=5, going_rsvps=1, start_timestamp=NOW + DAY, place=PUB)
        assert momentum(alone, NOW) == "BUILDING"
        assert momentum(replace(alone, interested_count=1, other_rsvps=1), NOW) == "GAINING"

    def test_two_people_a_time_and_a_place_confirm_it(self) -> None:
        both = {"going_count": 2, "going_rsvps": 2, "other_rsvps": 1}
        whole = made(**both, start_timestamp=NOW + DAY, place=PUB)
        assert momentum(whole, NOW) == "CONFIRMED"
        for lacking in ({"going_rsvps": 1}, {"start_timestamp": None}, {"place": None}):
            assert momentum(replace(whole, **lacking), NOW) == "GAINING"

    def test_what_was_taken_back_by_hand_is_not_confirmed_by_itself(self) -> None:
        both = {"going_count": 9, "going_rsvps": 9, "other_rsvps": 8}
        held = made(**both, start_timestamp=NOW + DAY, place=PUB, held_back_at=iso(NOW - HOUR))
        assert momentum(held, NOW) == "GAINING"

    @given(
        st.sampled_from(list(RANK)),
        st.integers(0, 50),
        st.integers(0, 50),
        st.integers(-30 * DAY, 30 * DAY),
    )
    def test_it_never_falls_below_what_is_stored(
        self, stored: Momentum, going: int, interested: int, later: int
    ) -> None:
        hangout = made(momentum=stored, going_count=going, interested_count=interested)
        assert RANK[momentum(hangout, NOW + later)] >= RANK[stored]


class TestQuiet:
    def test_a_suggestion_without_an_answer_for_five_days_is_quiet(self) -> None:
        assert not is_quiet(made(), NOW + 5 * DAY)
        assert is_quiet(made(), NOW + 5 * DAY + 1)

    def test_an_answer_wakes_it_up(self) -> None:
        assert not is_quiet(made(answered_at=iso(NOW + 2 * DAY)), NOW + 6 * DAY)
        assert is_quiet(made(answered_at=iso(NOW + 2 * DAY)), NOW + 8 * DAY)

    @pytest.mark.parametrize("ahead", SET_BACK)
    def test_an_answer_of_a_clock_that_was_ahead_does_not(self, ahead: float) -> None:
        later = NOW + 6 * DAY
        assert is_quiet(made(answered_at=iso(later + ahead)), later)

    @pytest.mark.parametrize(
        "fields", [{"start_timestamp": NOW + 20 * DAY}, {"momentum": "CONFIRMED"}]
    )
    def test_what_has_a_day_or_is_on_is_never_quiet(self, fields: dict[str, Any]) -> None:
        assert not is_quiet(made(**fields), NOW + 10 * DAY)
