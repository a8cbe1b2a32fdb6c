"""People are counted exactly, places are never given twice, and the waiting list is fair."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from commonroom.errors import InvalidField
from commonroom.hangouts.rules.attendance import (
    Attendance,
    PlacesTaken,
    change_answer,
    change_limit,
    place_limit,
)
from commonroom.hangouts.rules.rsvps import Party
from commonroom.hangouts.tables import RsvpStatus, Waiting


def attendance(limit: int | None = None, going: int = 0, **waiting: int) -> Attendance:
    return Attendance(
        place_limit=limit,
        going_count=going,
        interested_count=0,
        not_going_count=0,
        waiting=tuple(Waiting(answer_id=who, people=many) for who, many in waiting.items()),
    )


def going(people: int) -> Party:
    return Party("GOING", people)


def in_line(now: Attendance) -> list[tuple[str, int]]:
    return [(one.answer_id, one.people) for one in now.waiting]


class TestPlaces:
    def test_without_a_limit_everybody_goes(self) -> None:
        assert change_answer(attendance(), "a", None, going(500)).going_count == 500

    def test_the_last_places_are_taken_and_the_next_party_waits(self) -> None:
        full = change_answer(attendance(5, 3), "a", None, going(2))
        assert (full.going_count, full.free) == (5, 0)
        assert in_line(change_answer(full, "b", None, going(1))) == [("b", 1)]

    def test_nobody_passes_those_who_wait_although_they_would_fit(self) -> None:
        now = change_answer(attendance(5, 4, big=3), "small", None, going(1))
        assert in_line(now) == [("big", 3), ("small", 1)]

    def test_whoever_goes_away_makes_room_for_the_first(self) -> None:
        now = change_answer(attendance(5, 5, b=1, c=1), "a", going(1), Party("NOT_GOING", 1))
        assert (now.going_count, now.not_going_count, in_line(now)) == (5, 1, [("c", 1)])

    def test_a_party_that_does_not_fit_blocks_those_behind_it(self) -> None:
        now = change_answer(attendance(5, 5, big=3, small=1), "a", going(2), None)
        assert (now.going_count, in_line(now)) == (3, [("big", 3), ("small", 1)])
        then = change_answer(now, "b", going(1), None)
        assert (then.going_count, in_line(then)) == (5, [("small", 1)])

    def test_a_raised_limit_lets_several_move_up(self) -> None:
        now = change_limit(attendance(2, 2, a=2, b=1, c=4), 6)
        assert (now.going_count, in_line(now)) == (5, [("c", 4)])

    def test_no_limit_any_more_lets_everybody_come(self) -> None:
        now = change_limit(attendance(2, 2, a=2, b=1), None)
        assert (now.going_count, in_line(now)) == (5, [])

    def test_a_lowered_limit_takes_no_place_away(self) -> None:
        assert change_limit(attendance(9, 9), 3).going_count == 9

    def test_a_party_that_could_never_fit_any_more_is_passed_over(self) -> None:
        now = change_limit(attendance(4, 4, big=4, small=1), 2)
        then = change_answer(now, "a", going(3), None)
        assert (then.going_count, in_line(then)) == (2, [("big", 4)])

    def test_more_people_than_there_are_places_cannot_even_wait(self) -> None:
        with pytest.raises(PlacesTaken, match="only 4 places"):
            change_answer(attendance(4, 4), "a", None, going(5))

    def test_a_full_waiting_list_takes_nobody(self) -> None:
        with pytest.raises(PlacesTaken, match="full"):
            change_answer(attendance(200, 200, a=199), "b", None, going(2))

    @pytest.mark.parametrize("number", [0, -1, 10_001])
    def test_a_limit_is_a_number_that_makes_sense(self, number: int) -> None:
        with pytest.raises(InvalidField):
            place_limit(number)


class TestPartiesThatChange:
    def test_one_that_goes_can_grow_into_free_places(self) -> None:
        assert change_answer(attendance(5, 3), "a", going(2), going(4)).going_count == 5

    def test_one_that_goes_cannot_grow_past_those_who_wait(self) -> None:
        with pytest.raises(PlacesTaken, match="waiting"):
            change_answer(attendance(5, 4, big=3), "a", going(1), going(2))
        with pytest.raises(PlacesTaken, match="no place for 2 more"):
            change_answer(attendance(5, 4), "a", going(1), going(3))

    def test_one_that_shrinks_makes_room(self) -> None:
        now = change_answer(attendance(5, 5, b=2), "a", going(3), going(1))
        assert (now.going_count, in_line(now)) == (5, [])

    def test_one_that_waits_and_shrinks_keeps_its_turn(self) -> None:
        now = change_answer(attendance(5, 5, a=3, b=1), "a", going(3), going(2))
        assert in_line(now) == [("a", 2), ("b", 1)]

    def test_one_that_waits_and_grows_goes_to_the_end(self) -> None:
        now = change_answer(attendance(5, 5, a=1, b=1), "a", going(1), going(2))
        assert in_line(now) == [("b", 1), ("a", 2)]

    def test_one_that_shrinks_may_move_up_at_once(self) -> None:
        now = change_answer(attendance(5, 4, a=2), "a", going(2), going(1))
        assert (now.going_count, in_line(now)) == (5, [])


PARTIES = st.builds(
    Party, st.sampled_from(["GOING", "INTERESTED", "NOT_GOING"]), st.integers(1, 11)
)


class Plan(RuleBasedStateMachine):
    """Answers come, change and go in any order; what is counted is what was answered."""

    def __init__(self) -> None:
        super().__init__()
        self.now = attendance(20)
        self.answers: dict[str, Party] = {}
        self.lowered = False

    @rule(who=st.sampled_from("abcdefgh"), party=PARTIES | st.none())
    def answer(self, who: str, party: Party | None) -> None:
        waited = [name for name, _ in in_line(self.now)]
        try:
            after = change_answer(self.now, who, self.answers.get(who), party)
        except PlacesTaken:
            return
        still = [name for name, _ in in_line(after) if name != who]
        assert still == [name for name in waited if name in still], "somebody was passed"
        self.now = after
        self.answers.pop(who, None)
        if party is not None:
            self.answers[who] = party

    @rule(limit=st.integers(1, 40) | st.none())
    def limit(self, limit: int | None) -> None:
        self.lowered |= limit is not None and self.now.going_count > limit
        self.now = change_limit(self.now, limit)

    @invariant()
    def everybody_is_counted_once(self) -> None:
        waiting = dict(in_line(self.now))
        people: Counter[RsvpStatus] = Counter()
        for who, party in self.answers.items():
            if who in waiting:
                assert (party.status, party.people) == ("GOING", waiting[who])
            else:
                people[party.status] += party.people
        assert waiting.keys() <= self.answers.keys()
        assert people["GOING"] == self.now.going_count
        assert people["INTERESTED"] == self.now.interested_count
        assert people["NOT_GOING"] == self.now.not_going_count

    @invariant()
    def no_place_is_given_twice_and_none_stays_empty(self) -> None:
        limit = self.now.place_limit
        if limit is None:
            assert not self.now.waiting
            return
        if not self.lowered:
            assert self.now.going_count <= limit
        first = next((one for one in self.now.waiting if one.people <= limit), None)
        assert first is None or self.now.going_count + first.people > limit


TestAnyOrder = Plan.TestCase


@given(st.lists(st.tuples(st.sampled_from("abcd"), PARTIES), max_size=20))
def test_without_a_limit_nobody_ever_waits(answers: list[tuple[str, Any]]) -> None:
    now, known = attendance(), dict[str, Party]()
    for who, party in answers:
        now = change_answer(now, who, known.get(who), party)
        known[who] = party
    assert not now.waiting
