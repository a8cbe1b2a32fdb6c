"""What 64 people do at once: answer a poll that somebody just shared."""

from __future__ import annotations

import random
from collections.abc import Iterator
from uuid import UUID

from commonroom.shareables.tables import PollAnswer, PollVote

QUESTIONS = 5
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def votes(count: int) -> Iterator[PollVote]:
    """So many votes in one poll of five questions, each with a code of its own."""
    rng = random.Random(7)
    questions = [str(UUID(int=rng.getrandbits(128))) for _ in range(QUESTIONS)]
    options = [str(UUID(int=rng.getrandbits(128))) for _ in range(4)]
    for number in range(count):
        yield PollVote(
            short_id="KFT-WQA-40713",
            name=f"Guest {number}",
            code="".join(rng.choices(ALPHABET, k=8)),
            answers=[
                PollAnswer(poll_question_id=question, option_ids=[rng.choice(options)])
                for question in questions
            ],
            created_at="2026-11-15T20:00:00.000Z",
            updated_at="2026-11-15T20:00:00.000Z",
            ttl=2_000_000_000,
        )
