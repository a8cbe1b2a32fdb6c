"""From which networks a page was answered: counted with each answer, in its transaction."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from commonroom.shareables.errors import TooManyFromNetwork
from commonroom.shareables.service.gate import Opened
from commonroom.shareables.tables import AnswerNetwork, Event, EventRsvp, Poll, PollVote
from commonroom.store import Write, add, at_least, below, create, delete, equal, update

MOST_FROM_NETWORK = 5
"""Answers of guests to a page: a family's, and not somebody's who wants to outvote the others."""


class NetworkChange(Struct, frozen=True):
    """What to write of a network, and how many more networks the page is answered from."""

    writes: tuple[Write, ...] = ()
    networks: int = 0


def arrival(
    page: Event | Poll, new: EventRsvp | PollVote, counter: AnswerNetwork | None
) -> NetworkChange:
    """One answer more; `counter` is what stood there, None where nothing did."""
    if new.network is None:
        return NetworkChange()
    if counter is None:
        first = AnswerNetwork(short_id=new.short_id, network=new.network, ttl=new.ttl)
        return NetworkChange((create(first),), 1)
    there = at_least(answer_count=1)
    if not page.shared_network:
        if counter.answer_count >= MOST_FROM_NETWORK:
            raise TooManyFromNetwork(MOST_FROM_NETWORK)
        there &= below(answer_count=MOST_FROM_NETWORK)
    return NetworkChange((update(counter, answer_count=add(1), if_=there),))


def at_least_of(answer: EventRsvp | PollVote) -> AnswerNetwork | None:
    """What must stand there while an answer does: nothing is read, and a condition says if more."""
    if answer.network is None:
        return None
    return AnswerNetwork(short_id=answer.short_id, network=answer.network, ttl=answer.ttl)


def departure(counter: AnswerNetwork | None) -> NetworkChange:
    """One answer less."""
    if counter is None:
        return NetworkChange()
    if counter.answer_count > 1:
        more = update(counter, answer_count=add(-1), if_=at_least(answer_count=2))
        return NetworkChange((more,))
    return NetworkChange((delete(counter, if_=equal(answer_count=1)),), -1)


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
    gate: Opened[Event] | Opened[Poll], answers: Sequence[EventRsvp | PollVote]
) -> Sequence[Origin | None]:
    """The origins of some answers, for whoever administers their page: one request."""
    if not gate.is_admin:
        return [None] * len(answers)
    short_id, keys = gate.page.short_id, gate.passes.answer_keys
    named = sorted({one.network for one in answers if one.network is not None})
    counters = await gate.store.batch_get(
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
