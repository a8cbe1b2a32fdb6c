"""Who voted what, as whoever administers a poll sees it."""

from __future__ import annotations

from msgspec import Struct

from commonroom.shareables.service.origins import Origin
from commonroom.shareables.service.polls import Cast, Votes
from commonroom.shareables.tables import Poll


class Choice(Struct, frozen=True):
    """What somebody chose for a question, in its words."""

    question: str
    options: list[str]


class Voter(Struct, frozen=True):
    """Somebody who voted."""

    name: str | None
    choices: list[Choice]
    origin: Origin | None


class VotesSeen(Struct, frozen=True):
    """A part of those who voted, and where to go on."""

    voters: list[Voter]
    cursor: str | None


def votes_seen(poll: Poll, votes: Votes) -> VotesSeen:
    """Votes in the words of the poll, in its order."""
    return VotesSeen([_voter(poll, one) for one in votes.votes], votes.cursor)


def _voter(poll: Poll, cast: Cast) -> Voter:
    chosen = {id_ for answer in cast.answers for id_ in answer.option_ids}
    choices = [
        Choice(
            question.title,
            [one.label for one in question.options if one.poll_question_option_id in chosen],
        )
        for question in poll.questions
    ]
    return Voter(cast.name, [one for one in choices if one.options], cast.origin)
