"""What agendas hold in tests, and what must always be true of them."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.agenda import agenda_entry, is_for, is_listed, open_polls
from commonroom.hangouts.tables import AgendaEntry, Ballot, Hangout, Person, Rsvp, agenda
from commonroom.store import Store
from commonroom.store.engine import Engine
from tests.hangouts.friends import everything_of


async def agenda_of(store: Store, who: User) -> list[AgendaEntry]:
    """Somebody's agenda, the earliest first."""
    found = [one async for one in store.all(agenda(user_id=who.user_id))]
    return sorted(found, key=lambda one: (one.start_timestamp, one.hangout_id))


async def check_agendas(engine: Engine, now: float) -> None:
    """Everybody has what they are invited to on their agenda, as it is, and nothing else."""
    people = {one.user_id: one for one in await everything_of(engine, Person)}
    answers = {(one.hangout_id, one.user_id): one for one in await everything_of(engine, Rsvp)}
    votes = {(one.poll_id, one.user_id) for one in await everything_of(engine, Ballot)}
    expected = set()
    for hangout in await everything_of(engine, Hangout):
        for who in {*people, *hangout.invited_user_ids} if is_listed(hangout, now) else ():
            if is_for(hangout, who, people.get(who)):
                waiting = [one for one in open_polls(hangout) if (one, who) not in votes]
                rsvp = answers.get((hangout.hangout_id, who))
                entry = agenda_entry(hangout, who, rsvp, waiting)
                expected.add(_facts(entry))
    found = {_facts(one) for one in await everything_of(engine, AgendaEntry)}
    assert found == expected


def _facts(entry: AgendaEntry) -> tuple[object, ...]:
    """All but since when somebody has a place: no original says that."""
    facts = (entry.user_id, entry.hangout_id, entry.start_timestamp, entry.series_id)
    return (*facts, entry.is_unanswered, tuple(entry.poll_ids))
