"""What may be asked and answered in a poll, and what the votes come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.shareables.rules.polls import (
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    counted,
    difference,
    option_ids,
    poll_fields,
    results,
    vote_fields,
)
from commonroom.shareables.tables import Poll
from tests.shareables.furniture import COMMON, SUMMER
from tests.shareables.voting import ballot, typed_again

POLL = Poll(**COMMON, **poll_fields(SUMMER))
TWO = [TypedPollPageOption(label="Yes"), TypedPollPageOption(label="No")]


class TestAPoll:
    chosen = st.tuples(st.integers(0, 1), st.integers(0, 2))

    @pytest.mark.parametrize(
        "questions",
        [
            [],
            [TypedQuestion(title="x", options=TWO)] * 21,
            [TypedQuestion(title="x", options=TWO[:1])],
            [TypedQuestion(title="x", options=TWO * 11)],
            [TypedQuestion(title="", options=TWO)],
            [TypedQuestion(title="x", options=[*TWO, TypedPollPageOption(label="x" * 201)])],
            [TypedQuestion(poll_question_id="unknown", title="x", options=TWO)],
        ],
    )
    def test_that_is_unfit_is_refused(self, questions: list[TypedQuestion]) -> None:
        with pytest.raises(InvalidField):
            poll_fields(TypedPollPage(name="Poll", questions=questions))

    def test_takes_as_much_as_it_may(self) -> None:
        many = [TypedQuestion(title="x", options=TWO * 10)] * 20
        assert len(poll_fields(TypedPollPage(name="Poll", questions=many))["questions"]) == 20

    def test_keeps_the_ids_of_what_stays(self) -> None:
        assert poll_fields(typed_again(POLL), POLL)["questions"] == POLL.questions

    def test_takes_no_option_of_another_question_and_none_twice(self) -> None:
        where, when = typed_again(POLL).questions
        for options in ([*where.options, when.options[0]], [where.options[0]] * 2):
            unfit = [replace(where, options=options), when]
            with pytest.raises(InvalidField):
                poll_fields(replace(SUMMER, questions=unfit), POLL)
        with pytest.raises(InvalidField):
            poll_fields(replace(SUMMER, questions=[where, where]), POLL)

    def test_takes_votes_only_as_its_questions_allow(self) -> None:
        where, when = POLL.questions
        sea, hills = [one.poll_question_option_id for one in where.options]
        june = when.options[0].poll_question_option_id
        fits = ballot(POLL, 0)
        refused: list[dict[str, list[str]]] = [
            {},
            {where.poll_question_id: []},
            {when.poll_question_id: [june]},
            {where.poll_question_id: [sea, hills]},
            {where.poll_question_id: [june]},
            {where.poll_question_id: [sea], when.poll_question_id: ["unknown"]},
            {where.poll_question_id: [sea], "unknown": [june]},
        ]
        for answers in refused:
            with pytest.raises(InvalidField):
                vote_fields(POLL, replace(fits, answers=answers))
        several = {
            where.poll_question_id: [sea],
            when.poll_question_id: [one.poll_question_option_id for one in when.options] * 2,
        }
        chosen = vote_fields(POLL, replace(fits, answers=several))["answers"]
        assert [len(one.option_ids) for one in chosen] == [1, 3], "nothing counts twice"

    def test_takes_no_vote_that_says_nothing(self) -> None:
        optional = replace(POLL, questions=[POLL.questions[1]])
        with pytest.raises(InvalidField, match="choose an option"):
            vote_fields(optional, ballot(optional))

    @given(st.lists(chosen, max_size=8), chosen, chosen)
    def test_counts_what_a_vote_changes(
        self, others: list[tuple[int, int]], before: tuple[int, int], after: tuple[int, int]
    ) -> None:
        old, new, *rest = [
            vote_fields(POLL, ballot(POLL, *one))["answers"] for one in (before, after, *others)
        ]
        total = counted(POLL, old, *rest)
        total.update(difference(POLL, old, new))
        assert +total == counted(POLL, new, *rest)
        total.update(difference(POLL, new, ()))
        assert +total == counted(POLL, *rest)

    @given(st.lists(chosen, max_size=8))
    def test_shows_shares_of_those_who_voted(self, votes: list[tuple[int, int]]) -> None:
        answers = [vote_fields(POLL, ballot(POLL, *one))["answers"] for one in votes]
        tally = dict(counted(POLL, *answers))
        shown = results(replace(POLL, tally=tally, vote_count=len(votes)))
        for question in POLL.questions:
            stands = [shown[one] for one in option_ids(question)]
            assert sum(one.votes for one in stands) == len(votes)
            assert sum(one.share for one in stands) == pytest.approx(1 if votes else 0)
