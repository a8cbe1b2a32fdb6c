"""Entries of agendas, made what the originals say.

Each is written in one transaction with checks on what it was made of: a writer that read an older
state is refused and reads again. So changes may be followed in any order, twice, and at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from commonroom.hangouts.rules.agenda import agenda_entry, is_for, is_listed, open_polls
from commonroom.hangouts.service.access import read_by_key, retry
from commonroom.hangouts.tables import (
    AgendaEntry,
    Ballot,
    Hangout,
    HangoutPerson,
    HangoutPoll,
    Rsvp,
)
from commonroom.store import Ref, Store, Write, as_read, check, delete, new, put
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.values import Key

BATCH = 25
"""Read together; their hangouts, people and answers are one request."""


class AgendaKey(NamedTuple):
    """Whose agenda, and which hangout."""

    user_id: str
    hangout_id: str

    @property
    def ref(self) -> Ref[AgendaEntry]:
        """Where the entry is."""
        return AgendaEntry.at(user_id=self.user_id, hangout_id=self.hangout_id)


Listed: TypeAlias = Callable[[Hangout], bool]


class AgendaOriginals(Struct, frozen=True):
    """What entries are made of, as it was read: absent where it is not there."""

    found: dict[Key, Any]
    listed: Listed

    def hangout(self, key: AgendaKey) -> Hangout | None:
        """Returns a hangout that is on agendas."""
        found: Hangout | None = self.at(_hangout(key))
        return found if found is not None and self.listed(found) else None

    def at(self, ref: Ref[Any]) -> Any:
        """Returns what was there."""
        return self.found.get(ref.key)

    def same(self, ref: Ref[Any], *fields: str) -> Write:
        """That it is still there, or still not, with these fields as they were read."""
        one = self.at(ref)
        return check(ref, if_=new if one is None else as_read(one, *fields))


class EntryChange(Struct, frozen=True):
    """An entry as it is, and as it should be; None where there is none."""

    before: AgendaEntry | None
    after: AgendaEntry | None
    hangout: Hangout | None
    writes: Mapping[Key, Write]
    """What makes it so, by what is written or held."""


async def refresh_entries(
    store: Store, now: float, keys: Iterable[AgendaKey], *, have_moved_up: bool = False
) -> None:
    """Makes entries what they should be, some at a time; twice does no harm.

    `have_moved_up` says that all of them got a place for which they had waited.
    """
    each = list(dict.fromkeys(keys))
    for start in range(0, len(each), BATCH):
        some = each[start : start + BATCH]

        @retry
        async def attempt(some: Sequence[AgendaKey] = some) -> None:
            changes = await entry_changes(
                store, some, lambda it: is_listed(it, now), have_moved_up=have_moved_up
            )
            for together in transactions(changes):
                await store.write(*together)

        await attempt()


async def entry_changes(
    store: Store, keys: Sequence[AgendaKey], listed: Listed, *, have_moved_up: bool = False
) -> list[EntryChange]:
    """Returns what makes each entry right that is not: three requests.

    `listed` says of a hangout whether it is on agendas.
    """
    # Entries first: what they are made of is then at least as new as they are.
    entries = await store.batch_get([one.ref for one in keys])
    originals = await _read_originals(store, keys, listed)
    changes = []
    for key, before in zip(keys, entries, strict=True):
        after = _entry(originals, key, before, have_moved_up=have_moved_up)
        if before != after:
            writes = {key.ref.key: _written(before, after), **_held(originals, key)}
            hangout = originals.at(_hangout(key))
            changes.append(EntryChange(before, after, hangout, writes))
    return changes


async def _read_originals(
    store: Store, keys: Sequence[AgendaKey], listed: Listed
) -> AgendaOriginals:
    """Hangouts, people and answers; where polls are open, these and who voted in them."""
    refs: list[Ref[Any]] = []
    for one in keys:
        refs += [_hangout(one), _person(one), _rsvp(one)]
    of = AgendaOriginals(await read_by_key(store, refs), listed)
    polls: list[Ref[Any]] = []
    for one in keys:
        hangout = of.hangout(one)
        for poll_id in () if hangout is None else open_polls(hangout):
            polls += [_poll(one, poll_id), _ballot(one, poll_id)]
    return AgendaOriginals(of.found | await read_by_key(store, polls), listed)


def _entry(
    of: AgendaOriginals, key: AgendaKey, before: AgendaEntry | None, *, have_moved_up: bool
) -> AgendaEntry | None:
    hangout = of.hangout(key)
    if hangout is None or not is_for(hangout, key.user_id, of.at(_person(key))):
        return None
    waiting = [one for one in open_polls(hangout) if _waits(of, key, one)]
    rsvp: Rsvp | None = of.at(_rsvp(key))
    moved_up = None if before is None else before.moved_up
    if have_moved_up and rsvp is not None:
        moved_up = rsvp.updated_at
    return agenda_entry(hangout, key.user_id, rsvp, waiting, moved_up)


def _waits(of: AgendaOriginals, key: AgendaKey, poll_id: str) -> bool:
    poll: HangoutPoll | None = of.at(_poll(key, poll_id))
    if poll is None or poll.closed_at is not None:
        return False
    return of.at(_ballot(key, poll_id)) is None


def _written(before: AgendaEntry | None, after: AgendaEntry | None) -> Write:
    condition = new if before is None else as_read(before, *AgendaEntry.schema.attributes)
    if after is not None:
        return put(after, if_=condition)
    if before is None:
        raise ValueError("What is not there cannot be removed.")
    return delete(before, if_=condition)


def _held(of: AgendaOriginals, key: AgendaKey) -> dict[Key, Write]:
    """That everything is as it was read that made an entry what it is."""
    hangout = of.hangout(key)
    checks = [of.same(_hangout(key), "version")]
    if hangout is not None:
        if key.user_id not in hangout.invited_user_ids:
            checks.append(of.same(_person(key), "groups"))
        checks.append(of.same(_rsvp(key), "status", "updated_at"))
        for poll_id in open_polls(hangout):
            checks.append(of.same(_poll(key, poll_id), "closed_at"))
            checks.append(of.same(_ballot(key, poll_id)))
    return {one.operation.key: one for one in checks}


def transactions(changes: Iterable[EntryChange]) -> Iterator[list[Write]]:
    """Yields the changes in as few writes as they fit in; what several hold is held once."""
    together: dict[Key, Write] = {}
    for one in changes:
        if len({**together, **one.writes}) > REQUEST_OPERATIONS:
            yield list(together.values())
            together = {}
        together.update(one.writes)
    if together:
        yield list(together.values())


def _hangout(key: AgendaKey) -> Ref[Hangout]:
    return Hangout.at(hangout_id=key.hangout_id)


def _person(key: AgendaKey) -> Ref[HangoutPerson]:
    return HangoutPerson.at(user_id=key.user_id)


def _rsvp(key: AgendaKey) -> Ref[Rsvp]:
    return Rsvp.at(hangout_id=key.hangout_id, user_id=key.user_id)


def _poll(key: AgendaKey, poll_id: str) -> Ref[HangoutPoll]:
    return HangoutPoll.at(hangout_id=key.hangout_id, poll_id=poll_id)


def _ballot(key: AgendaKey, poll_id: str) -> Ref[Ballot]:
    return Ballot.at(hangout_id=key.hangout_id, poll_id=poll_id, user_id=key.user_id)
