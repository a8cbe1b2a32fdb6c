"""Hangouts: everything on one agrees with everything else, as two looks at it see alike."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence

from commonroom.hangouts.checks.attendance import check_counts, check_parties
from commonroom.hangouts.checks.departures import Departures
from commonroom.hangouts.checks.people import people_of
from commonroom.hangouts.checks.plans import (
    check_attachments,
    check_bring_list,
    check_carpool,
    check_momentum,
    check_offers,
    check_tickets,
)
from commonroom.hangouts.checks.polls import check_open_polls, check_polls
from commonroom.hangouts.checks.snapshots import HangoutSnapshot, take_snapshot
from commonroom.hangouts.tables import Hangout
from commonroom.store import Store
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.each import find_each

LOOKS = 5
"""How often a hangout that keeps changing is looked at; where people are at work, counts count."""


class HangoutCheck:
    """Compares what people have on each hangout with what counts it."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """What is wrong on these hangouts."""
        found = [it.entity for it in things if isinstance(it.entity, Hangout)]
        async for problem in find_each(store, _find, found):
            yield problem


async def _find(store: Store, hangout: Hangout) -> list[Problem]:
    """What is wrong, where two looks see the same: what people do is one write each."""
    before = await take_snapshot(store, hangout.hangout_id)
    for _ in range(LOOKS):
        if before is None or not await _find_problems(store, before):
            return []
        after = await take_snapshot(store, hangout.hangout_id)
        if after is not None and before.mark == after.mark:
            return await _find_problems(store, after)
        before = after
    return []


async def _find_problems(store: Store, snapshot: HangoutSnapshot) -> list[Problem]:
    """What is wrong; each repair begins where those before it end, so all can be done at once."""
    now = time.time()
    people = await people_of(store, snapshot)
    hangout, counted = check_counts(snapshot)
    hangout, marked = check_open_polls(snapshot, hangout)
    hangout, bought = check_momentum(snapshot, hangout)
    hangout, parted = check_parties(snapshot, people, hangout, now)
    cars, seated = check_carpool(snapshot)
    return [
        *counted,
        *marked,
        *bought,
        *parted,
        *seated,
        *check_polls(snapshot, now),
        *check_bring_list(snapshot),
        *check_attachments(snapshot),
        *check_offers(snapshot),
        *check_tickets(snapshot),
        *Departures(snapshot, people, hangout, cars).find_problems(now),
    ]
