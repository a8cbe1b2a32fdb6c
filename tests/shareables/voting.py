"""Votes for the tests, and the count of them from scratch."""

from __future__ import annotations

from collections import Counter

from commonroom.shareables.rules.polls import (
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    TypedVote,
    option_ids,
)
from commonroom.shareables.tables import Poll, PollVote
from commonroom.store import Store
from tests.shareables.furniture import everything_of


def ballot(poll: Poll, *chosen: int) -> TypedVote:
    """A vote for the options with these numbers, one for each question from the first on."""
    answers = {
        question.poll_question_id: [option_ids(question)[number % len(question.options)]]
        for question, number in zip(poll.questions, chosen, strict=False)
    }
    return TypedVote(answers=answers)


def typed_again(poll: Poll) -> TypedPollPage:
    """A poll as its editor shows it."""
    return TypedPollPage(
        name=poll.name,
        note=poll.note,
        results_visibility=poll.results_visibility,
        closes_at=poll.closes_at,
        questions=[
            TypedQuestion(
                poll_question_id=one.poll_question_id,
                title=one.title,
                is_multiple=one.is_multiple,
                is_required=one.is_required,
                options=[
                    TypedPollPageOption(
                        poll_question_option_id=option.poll_question_option_id, label=option.label
                    )
                    for option in one.options
                ],
            )
            for one in poll.questions
        ],
    )


async def check_count(store: Store, short_id: str) -> Poll:
    """Holds a poll's tally against its votes, counted from scratch."""
    (poll,) = [one for one in await everything_of(store.engine, Poll) if one.short_id == short_id]
    votes = [one for one in await everything_of(store.engine, PollVote) if one.short_id == short_id]
    there = {
        option.poll_question_option_id: question.poll_question_id
        for question in poll.questions
        for option in question.options
    }
    recount = Counter(
        id_
        for vote in votes
        for answer in vote.answers
        for id_ in answer.option_ids
        if there.get(id_) == answer.poll_question_id
    )
    assert {id_: number for id_, number in poll.tally.items() if number} == dict(recount)
    assert poll.tally.keys() <= there.keys(), "nothing is left of what was removed"
    assert poll.vote_count == len(votes)
    return poll
