"""Shareables: a poll with five questions and 500 votes, over HTTP, for anybody with its id."""

from __future__ import annotations

import random
import time
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from benchmarks import serving
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, speed
from benchmarks.visiting import visitors
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.shareables.rules.polls import (
    TypedOption,
    TypedPoll,
    TypedQuestion,
    TypedVote,
    option_ids,
)
from commonroom.shareables.service import gate, polls
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.gate import Visitor
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import Poll

QUESTIONS, OPTIONS, VOTES = 5, 4, 500
ROUNDS, WARM_UP, CALLS = 60, 5, 160


async def compare(folder: Path) -> list[Comparison]:
    """The poll with its results against the same read by hand."""
    settings = Settings(data=folder)
    path = await _furnished(settings)
    with serving.ours(folder) as ours, serving.bare_poll(settings.data_file) as bare:
        await ours.first_answer(path)
        await bare.first_answer(path)
        mine, theirs = await visitors(ours.port, path), await visitors(bare.port, path)
        assert msgspec.json.decode(mine.body) == msgspec.json.decode(theirs.body)
        try:
            taken = await in_turns(
                partial(mine.ask, CALLS),
                partial(theirs.ask, CALLS),
                calls=CALLS,
                rounds=ROUNDS,
                warm_up=WARM_UP,
            )
        finally:
            mine.close()
            theirs.close()
    name = f"a poll of {QUESTIONS} questions with {VOTES} votes over HTTP"
    row = speed(
        name,
        *typical(*taken),
        ROUNDS,
        against="a bare application",
        sentence="A guest reads a poll with its results as JSON.",
        at_least=0.4,
    )
    return [row]


async def _furnished(settings: Settings) -> str:
    """The address of a poll that everybody has voted in."""
    questions = [
        TypedQuestion(
            title=f"Question {number}",
            is_required=True,
            options=[TypedOption(label=f"Option {option}") for option in range(OPTIONS)],
        )
        for number in range(QUESTIONS)
    ]
    async with open_store(settings, create=True) as store:
        now, passes = time.time(), Passes(bytes(32))
        typed = TypedPoll(name="Summer", questions=questions)
        made = await create_page(Visitor(store, passes, now), typed, expires_after=7)
        found = await gate.open_page(Visitor(store, passes, now), made.page.short_id, want="view")
        await _voted(gate.of_kind(found, Poll))
        return f"/api/v1/shareables/{made.page.short_id}"


async def _voted(poll: gate.Opened[Poll]) -> None:
    rng = random.Random(7)
    for number in range(VOTES):
        # Each from home: from one address, so many would be refused.
        at_home = replace(poll, caller=replace(poll.caller, address=f"guest {number}"))
        answers = {
            question.poll_question_id: [rng.choice(option_ids(question))]
            for question in poll.page.questions
        }
        await polls.vote(at_home, TypedVote(name=f"Guest {number}", answers=answers))
