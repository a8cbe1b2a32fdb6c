"""Where answers came from, as whoever administers a page sees it: no code, and no address."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from commonroom.shareables.service.answer_keys import AnswerKeys
from commonroom.shareables.service.gate import Opened
from commonroom.shareables.tables import AnswerNetwork, Event, EventRsvp, Poll, PollVote
from commonroom.store import Store


class Origin(Struct, frozen=True):
    """What an admin is told of an answer, besides what it says."""

    answer_id: str
    """By which it can be removed."""
    has_account: bool
    network: str | None
    """The same for answers from one network; None where that is not known."""
    from_network: int
    """How many answers came from there."""


async def origins_of(
    store: Store,
    keys: AnswerKeys | None,
    gate: Opened[Event] | Opened[Poll],
    answers: Sequence[EventRsvp | PollVote],
) -> list[Origin | None]:
    """The origins of some answers, for whoever administers their page: one request."""
    if keys is None or not gate.is_admin:
        return [None] * len(answers)
    short_id = gate.page.short_id
    named = sorted({one.network for one in answers if one.network is not None})
    counters = await store.batch_get(
        [AnswerNetwork.at(short_id=short_id, network=network) for network in named]
    )
    counts = {one.network: one.answer_count for one in counters if one is not None}
    return [
        Origin(
            answer_id=keys.answer_id(short_id, one.code),
            has_account=one.account_id is not None,
            network=one.network,
            from_network=0 if one.network is None else counts.get(one.network, 1),
        )
        for one in answers
    ]
