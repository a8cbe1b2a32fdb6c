"""What agendas hold in tests, and what must always be true of them."""

from __future__ import annotations

import time
from typing import TypeAlias

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.agenda import agenda_entry, is_for, is_listed, open_polls
from commonroom.hangouts.tables import AgendaEntry, Ballot, Hangout, HangoutPerson, Rsvp, agenda
from commonroom.store import Store
from commonroom.store.engine import Engine
from tests.accounts.people import Watch
from tests.hangouts.friends import everything_of, tidied

Facts: TypeAlias = tuple[object, ...]


async def agenda_of(store: Store, who: User) -> list[AgendaEntry]:
    """Somebody's agenda, the earliest first."""
    found = [one async for one in store.all(agenda(user_id=who.user_id))]
    return sorted(found, key=lambda one: (one.start_timestamp, one.hangout_id))


async def settle(store: Store, clock: Watch, seconds: float = 0) -> None:
    """What happens within a while, and that agendas are right after it.

    Changes have the moment of the engine, which is the machine's own in DynamoDB.
    """
    clock.forward(seconds)
    clock.now = max(clock.now, time.time() + 1)
    await tidied(store, clock)
    await check_agendas(store.engine, clock())


async def check_agendas(engine: Engine, now: float) -> None:
    """Everybody has what they are invited to on their agenda, as it is, and nothing else."""
    found = {facts_of(one) for one in await everything_of(engine, AgendaEntry)}
    assert found == await expected_agendas(engine, now)


async def expected_agendas(engine: Engine, now: float) -> set[Facts]:
    """What agendas should hold, worked out from everything that is stored."""
    people = {one.user_id: one for one in await everything_of(engine, HangoutPerson)}
    answers = {(one.hangout_id, one.user_id): one for one in await everything_of(engine, Rsvp)}
    votes = {(one.poll_id, one.user_id) for one in await everything_of(engine, Ballot)}
    expected: set[Facts] = set()
    for hangout in await everything_of(engine, Hangout):
        for who in {*people, *hangout.invited_user_ids} if is_listed(hangout, now) else ():
            if is_for(hangout, who, people.get(who)):
                waiting = [one for one in open_polls(hangout) if (one, who) not in votes]
                rsvp = answers.get((hangout.hangout_id, who))
                expected.add(facts_of(agenda_entry(hangout, who, rsvp, waiting)))
    return expected


def facts_of(entry: AgendaEntry) -> Facts:
    """All but that somebody got a place: no original says that."""
    facts = (entry.user_id, entry.hangout_id, entry.start_timestamp, entry.series_id)
    return (*facts, entry.is_unanswered, tuple(entry.poll_ids))
