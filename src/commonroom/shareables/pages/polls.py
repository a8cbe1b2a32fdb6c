"""A poll as its reader sees it: its questions, how it stands, and what they chose themselves."""

from __future__ import annotations

from itertools import chain
from typing import Any

from msgspec import Struct

from commonroom.http.request import Request
from commonroom.shareables.pages.cookies import with_receipt
from commonroom.shareables.rules.polls import OptionResult, field_of, is_over
from commonroom.shareables.service import polls
from commonroom.shareables.service.answers import AnswerOrigin
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.tables import Poll, PollQuestion, PollVote

NO_VOTES = OptionResult(0, 0.0)


class PollPageOptionCard(Struct, frozen=True):
    """An option, and how it stands."""

    id: str
    label: str
    votes: int
    percent: int
    """Its share of those who voted."""
    is_mine: bool
    leads: bool
    """Whether none of the question has more votes."""


class QuestionView(Struct, frozen=True):
    """A question with its options."""

    question: PollQuestion
    options: list[PollPageOptionCard]
    field: str
    """What its boxes are called in the form."""
    at_fault: str
    """What it is called where its answer was refused."""

    @property
    def mine(self) -> list[str]:
        """The ids of what one chose."""
        return [one.id for one in self.options if one.is_mine]


class PollPageCard(Struct, frozen=True, kw_only=True):
    """A poll as the caller sees it."""

    questions: list[QuestionView]
    mine: PollVote | None
    takes_votes: bool
    is_over: bool
    is_full: bool
    shows_results: bool

    @property
    def answered(self) -> dict[str, Any]:
        """One's own vote, as the form takes it."""
        if self.mine is None:
            return {}
        return {"name": self.mine.name, **{one.field: one.mine for one in self.questions}}


async def poll_view(request: Request, gate: PageAccess[Poll]) -> PollPageCard:
    """Returns a poll: a request for one's own vote, and none for the others'."""
    page, now = gate.page, gate.now
    mine = await my_vote(request, gate)
    results = polls.results_seen(gate, has_voted=mine is not None)
    chosen = {id_ for answer in (() if mine is None else mine.answers) for id_ in answer.option_ids}
    over = is_over(now, page)
    return PollPageCard(
        questions=[_question(one, results or {}, chosen) for one in page.questions],
        mine=mine,
        takes_votes=not over and not gate.is_closed,
        is_over=over,
        is_full=page.vote_count >= gate.caller.limits.answers,
        shows_results=results is not None,
    )


async def my_vote(request: Request, gate: PageAccess[Poll]) -> PollVote | None:
    """What was chosen by the account, or else in this browser; None where that was nothing."""
    return await with_receipt(request, gate, lambda mine: polls.my_vote(gate, mine))


def _question(
    question: PollQuestion, results: dict[str, OptionResult], chosen: set[str]
) -> QuestionView:
    stands = [results.get(one.poll_question_option_id, NO_VOTES) for one in question.options]
    most = max(one.votes for one in stands)
    options = [
        PollPageOptionCard(
            id=one.poll_question_option_id,
            label=one.label,
            votes=result.votes,
            percent=round(result.share * 100),
            is_mine=one.poll_question_option_id in chosen,
            leads=most > 0 and result.votes == most,
        )
        for one, result in zip(question.options, stands, strict=True)
    ]
    return QuestionView(question, options, question.poll_question_id, field_of(question))


class ChosenOption(Struct, frozen=True):
    """Returns what a person chose for a question, in its words."""

    question: str
    options: list[str]


class Voter(Struct, frozen=True):
    """A voter."""

    name: str | None
    choices: list[ChosenOption]
    origin: AnswerOrigin | None


def voter_view(poll: Poll, cast: polls.CastVote) -> Voter:
    """Returns a vote in the words of the poll, in its order."""
    chosen = {*chain.from_iterable(cast.answers.values())}
    choices = [
        ChosenOption(
            question.title,
            [one.label for one in question.options if one.poll_question_option_id in chosen],
        )
        for question in poll.questions
    ]
    return Voter(cast.name, [one for one in choices if one.options], cast.origin)
