"""Hangouts: everything on one agrees with everything else, as two looks at it see alike."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TypeAlias

from commonroom.hangouts.checks.attendance import check_counts, check_parties
from commonroom.hangouts.checks.departures import Departures
from commonroom.hangouts.checks.people import HangoutPeople, people_of
from commonroom.hangouts.checks.plans import check_carpool, check_momentum, check_tickets
from commonroom.hangouts.checks.polls import check_open_polls, check_polls
from commonroom.hangouts.checks.snapshots import HangoutSnapshot, take_snapshot
from commonroom.hangouts.tables import BringItem, Hangout, Offer
from commonroom.store import Store
from commonroom.store.checking import Problem
from commonroom.store.checking.snapshots import SnapshotCheck

Seen: TypeAlias = tuple[HangoutSnapshot, HangoutPeople]


async def _take_snapshot(store: Store, hangout: Hangout) -> Seen | None:
    snapshot = await take_snapshot(store, hangout.hangout_id)
    return None if snapshot is None else (snapshot, await people_of(store, snapshot))


def _find_problems(_: Hangout, seen: Seen | None) -> Iterator[Problem]:
    """What is wrong; each repair begins where those before it end, so all can be done at once."""
    if seen is None:
        return
    snapshot, people = seen
    now = time.time()
    hangout, counted = check_counts(snapshot)
    hangout, marked = check_open_polls(snapshot, hangout)
    hangout, bought = check_momentum(snapshot, hangout)
    hangout, parted = check_parties(snapshot, people, hangout, now)
    cars, seated = check_carpool(snapshot)
    yield from [*counted, *marked, *bought, *parted, *seated]
    yield from check_polls(snapshot, now)
    for thing in (*snapshot.of(BringItem), *snapshot.of(Offer)):
        yield from snapshot.miscounted(thing)
    yield from check_tickets(snapshot)
    yield from Departures(snapshot, people, hangout, cars).find_problems(now)


HANGOUTS = SnapshotCheck(Hangout, _take_snapshot, _find_problems)
