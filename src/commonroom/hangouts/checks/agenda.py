"""Agendas: each entry is what the originals say, and everybody has what they are invited to."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence

from commonroom.hangouts.rules.agenda import is_called_off, is_listed
from commonroom.hangouts.service.agenda_entries import (
    BATCH,
    AgendaKey,
    EntryChange,
    entry_changes,
    transactions,
)
from commonroom.hangouts.tables import AgendaEntry, GroupMembership, Hangout, members
from commonroom.moments import seconds
from commonroom.store import Store
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.each import find_each

LATE = 3600
"""After how many seconds a change counts as forgotten by its consumer."""


class AgendaCheck:
    """Compares agendas with what they are made of."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields what is wrong with these entries, and who lacks one of these hangouts."""
        found = [it.entity for it in things if isinstance(it.entity, AgendaEntry)]
        for start in range(0, len(found), BATCH):
            for problem in await _find_wrong(store, found[start : start + BATCH]):
                yield problem
        hangouts = [it.entity for it in things if isinstance(it.entity, Hangout)]
        async for problem in find_each(store, _find_missing, [*filter(_is_settled, hangouts)]):
            yield problem


async def _find_wrong(store: Store, found: Sequence[AgendaEntry]) -> list[Problem]:
    """Entries that say otherwise than the originals; that one is over, timers see to."""
    keys = [AgendaKey(it.user_id, it.hangout_id) for it in found]
    changes = await entry_changes(store, keys, lambda it: not is_called_off(it))
    detail = "It is not what its hangout, and the answers and votes on that, say."
    return [
        Problem.of("agendas", it.before, detail, *it.writes.values())
        for it in changes
        if it.before is not None and await _is_wrong(store, it.before, it)
    ]


async def _is_wrong(store: Store, entry: AgendaEntry, change: EntryChange) -> bool:
    """Returns whether no more than the entry is wrong: it follows other repairs by itself."""
    right, hangout = change.after, change.hangout
    if right is not None:
        is_elsewhere = entry.start_timestamp != right.start_timestamp
        is_done = not set(entry.poll_ids) <= set(right.poll_ids)
        return is_elsewhere or is_done or entry.is_unanswered != right.is_unanswered
    if hangout is None or is_called_off(hangout):
        return True
    by_group = {"user_id": entry.user_id}
    refs = [GroupMembership.at(group_id=it, **by_group) for it in hangout.group_ids]
    return not any(await store.batch_get(refs))


def _is_settled(hangout: Hangout) -> bool:
    now = time.time()
    return is_listed(hangout, now) and now - seconds(hangout.updated_at) > LATE


async def _find_missing(store: Store, hangout: Hangout) -> list[Problem]:
    people = dict.fromkeys(hangout.invited_user_ids)
    for group_id in hangout.group_ids:
        async for it in store.all(members(group_id=group_id)):
            people[it.user_id] = None
    keys = [AgendaKey(it, hangout.hangout_id) for it in people]
    entries = await store.batch_get([it.ref for it in keys])
    missing = [it for it, entry in zip(keys, entries, strict=True) if entry is None]
    problems: list[Problem] = []
    for start in range(0, len(missing), BATCH):
        some = missing[start : start + BATCH]
        changes = await entry_changes(store, some, lambda it: not is_called_off(it))
        detail = "It is missing from somebody’s agenda."
        problems += [Problem.of("agendas", hangout, detail, *one) for one in transactions(changes)]
    return problems
