"""Hangouts: everything on one agrees with everything else, as two looks at it see alike."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence

from commonroom.hangouts.checks.attendance import judge_counts, judge_parties
from commonroom.hangouts.checks.departures import Departures
from commonroom.hangouts.checks.look import Look, look_at
from commonroom.hangouts.checks.people import people_of
from commonroom.hangouts.checks.plans import (
    judge_attachments,
    judge_bring_list,
    judge_carpool,
    judge_momentum,
    judge_offers,
    judge_tickets,
)
from commonroom.hangouts.checks.polls import judge_open_polls, judge_polls
from commonroom.hangouts.tables import Hangout
from commonroom.store import Store
from commonroom.store.checking import Problem, StoredEntity

LOOKS = 5
"""How often a hangout that keeps changing is looked at; where people are at work, counts count."""


class HangoutCheck:
    """Compares what people have on each hangout with what counts it."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """What is wrong on these hangouts."""
        for thing in things:
            if isinstance(thing.entity, Hangout):
                for problem in await _find(store, thing.entity.hangout_id):
                    yield problem


async def _find(store: Store, hangout_id: str) -> list[Problem]:
    """What is wrong, where two looks see the same: what people do is one write each."""
    before = await look_at(store, hangout_id)
    for _ in range(LOOKS):
        if before is None or not await _judge(store, before):
            return []
        after = await look_at(store, hangout_id)
        if after is not None and before.mark == after.mark:
            return await _judge(store, after)
        before = after
    return []


async def _judge(store: Store, look: Look) -> list[Problem]:
    """What is wrong; each repair begins where those before it end, so all can be done at once."""
    now = time.time()
    people = await people_of(store, look)
    hangout, counted = judge_counts(look)
    hangout, marked = judge_open_polls(look, hangout)
    hangout, bought = judge_momentum(look, hangout)
    hangout, parted = judge_parties(look, people, hangout, now)
    cars, seated = judge_carpool(look)
    return [
        *counted,
        *marked,
        *bought,
        *parted,
        *seated,
        *judge_polls(look, now),
        *judge_bring_list(look),
        *judge_attachments(look),
        *judge_offers(look),
        *judge_tickets(look),
        *Departures(look, people, hangout, cars).judge(now),
    ]
