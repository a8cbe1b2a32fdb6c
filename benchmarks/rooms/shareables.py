"""What is measured of shareables: a poll with five questions and 500 votes."""

from __future__ import annotations

import random
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from benchmarks.rooms.declare import SMALL, Address, BareFile, Handler, House, RoomViews, View
from commonroom.shareables.api import views
from commonroom.shareables.rules.polls import (
    OptionResult,
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    TypedVote,
    option_ids,
)
from commonroom.shareables.service import gate, polls
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import Poll, shareables

QUESTIONS, OPTIONS, VOTES = 5, 4, 500


async def furnish(house: House) -> Mapping[str, Address]:
    """A poll that everybody has voted in."""
    questions = [
        TypedQuestion(
            title=f"Question {number}",
            is_required=True,
            options=[TypedPollPageOption(label=f"Option {option}") for option in range(OPTIONS)],
        )
        for number in range(QUESTIONS)
    ]
    visitor = ShareableVisitor(house.store, Passes(bytes(32)), house.now)
    typed = TypedPollPage(name="Summer", questions=questions)
    made = await create_page(visitor, typed, expires_after=7)
    found = await gate.open_page(visitor, made.page.short_id, want="view")
    await _vote(gate.of_kind(found, Poll))
    return {"poll": Address(f"/api/v1/shareables/{made.page.short_id}")}


async def _vote(poll: gate.PageAccess[Poll]) -> None:
    rng = random.Random(7)
    for number in range(VOTES):
        # Each from home: from one address, so many would be refused.
        at_home = replace(poll, caller=replace(poll.caller, address=f"guest {number}"))
        answers = {
            question.poll_question_id: [rng.choice(option_ids(question))]
            for question in poll.page.questions
        }
        await polls.vote(at_home, TypedVote(name=f"Guest {number}", answers=answers))


class StoredOption(Struct, rename="camel"):
    """An option as it is stored."""

    poll_question_option_id: str
    label: str


class StoredQuestion(Struct, rename="camel"):
    """A question as it is stored."""

    poll_question_id: str
    title: str
    options: list[StoredOption]
    is_multiple: bool = False
    is_required: bool = False


class StoredPoll(Struct, rename="camel"):
    """A poll as it is stored."""

    short_id: str
    name: str
    expires_after: int
    expires_at: str
    created_at: str
    updated_at: str
    questions: list[StoredQuestion]
    tally: dict[str, int]
    version: int
    vote_count: int
    results_visibility: str = "always"
    is_closed: bool = False
    note: str | None = None
    closes_at: str | None = None
    shared_network: bool = False


def bare_poll(file: BareFile) -> Handler:
    """A poll with its results for anybody who knows its id."""
    poll = file.get(shareables, StoredPoll)

    def handler(path: str) -> object:
        short_id = path.rpartition("/")[2].replace("-", "")
        return _shown(poll(f"shareable#{short_id}", "01#"))

    return handler


def _shown(poll: StoredPoll) -> views.PollPageView:
    short_id, voters, votes = poll.short_id.upper(), poll.vote_count, poll.tally.get
    questions, results = [], {}
    for one in poll.questions:
        options = []
        for option in one.options:
            option_id = option.poll_question_option_id
            count = votes(option_id, 0)
            options.append(views.PollOptionView(option_id, option.label))
            results[option_id] = OptionResult(count, count / voters)
        questions.append(
            views.PollQuestionView(
                one.poll_question_id, one.title, one.is_multiple, one.is_required, options
            )
        )
    return views.PollPageView(
        short_id=short_id,
        path=f"/s/{short_id}",
        name=poll.name,
        role="view",
        passcodes=None,
        expires_after=poll.expires_after,  # type: ignore[arg-type] # as it is stored
        expires_at=poll.expires_at,
        is_expired=False,
        created_at=poll.created_at,
        updated_at=poll.updated_at,
        version=poll.version,
        note=poll.note,
        results_visibility=poll.results_visibility,  # type: ignore[arg-type] # as it is stored
        closes_at=poll.closes_at,
        is_closed=poll.is_closed,
        questions=questions,
        results=views.PollResults(voters, results),
        shared_network=poll.shared_network,
        network_count=None,
    )


SHAREABLES = RoomViews(
    room="shareables",
    furnish=furnish,
    views=(
        View(
            key="poll",
            busy_at_least=SMALL,
            name=f"a poll of {QUESTIONS} questions with {VOTES} votes",
            sentence="A guest with the id reads a poll and its results: one read by key.",
            bare=bare_poll,
        ),
    ),
)
