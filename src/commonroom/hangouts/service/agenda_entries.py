"""Entries of agendas, made what the originals say.

Each is written in one transaction with checks that hold what it was made of: whoever read an older
state is refused and reads again. So changes may be followed in any order, twice, and at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from commonroom.hangouts.rules.agenda import agenda_entry, is_for, is_listed, open_polls
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.tables import (
    AgendaEntry,
    Ballot,
    Hangout,
    HangoutPerson,
    HangoutPoll,
    Rsvp,
)
from commonroom.store import Entity, Ref, Store, Write, as_read, check, delete, new, put
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

    found: Mapping[Key, Entity]
    listed: Listed

    def hangout(self, place: AgendaKey) -> Hangout | None:
        """A hangout that is on agendas."""
        found: Hangout | None = self.at(_hangout(place))
        return found if found is not None and self.listed(found) else None

    def at(self, ref: Ref[Any]) -> Any:
        """What was there."""
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
    store: Store, now: float, places: Iterable[AgendaKey], *, have_moved_up: bool = False
) -> None:
    """Makes entries what they should be, some at a time; twice does no harm.

    `have_moved_up` says that all of them got a place for which they had waited.
    """
    each = list(dict.fromkeys(places))
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
    store: Store, places: Sequence[AgendaKey], listed: Listed, *, have_moved_up: bool = False
) -> list[EntryChange]:
    """What makes each entry right that is not: three requests.

    `listed` says of a hangout whether it is on agendas.
    """
    # Entries first: what they are made of is then at least as new as they are.
    entries = await store.batch_get([one.ref for one in places])
    originals = await _read_originals(store, places, listed)
    changes = []
    for place, before in zip(places, entries, strict=True):
        after = _entry(originals, place, before, have_moved_up=have_moved_up)
        if before != after:
            writes = {place.ref.key: _written(before, after), **_held(originals, place)}
            hangout = originals.at(_hangout(place))
            changes.append(EntryChange(before, after, hangout, writes))
    return changes


async def _read_originals(
    store: Store, places: Sequence[AgendaKey], listed: Listed
) -> AgendaOriginals:
    """Hangouts, people and answers; where polls are open, these and who voted in them."""
    refs: list[Ref[Any]] = []
    for one in places:
        refs += [_hangout(one), _person(one), _rsvp(one)]
    of = AgendaOriginals(await _read(store, refs), listed)
    polls: list[Ref[Any]] = []
    for one in places:
        hangout = of.hangout(one)
        for poll_id in () if hangout is None else open_polls(hangout):
            polls += [_poll(one, poll_id), _ballot(one, poll_id)]
    return AgendaOriginals({**of.found, **await _read(store, polls)}, listed) if polls else of


async def _read(store: Store, refs: Sequence[Ref[Any]]) -> dict[Key, Entity]:
    each = list({one.key: one for one in refs}.values())
    read = await store.batch_get(each)
    return {ref.key: one for ref, one in zip(each, read, strict=True) if one is not None}


def _entry(
    of: AgendaOriginals, place: AgendaKey, before: AgendaEntry | None, *, have_moved_up: bool
) -> AgendaEntry | None:
    hangout = of.hangout(place)
    if hangout is None or not is_for(hangout, place.user_id, of.at(_person(place))):
        return None
    waiting = [one for one in open_polls(hangout) if _waits(of, place, one)]
    rsvp: Rsvp | None = of.at(_rsvp(place))
    moved_up = None if before is None else before.moved_up
    if have_moved_up and rsvp is not None:
        moved_up = rsvp.updated_at
    return agenda_entry(hangout, place.user_id, rsvp, waiting, moved_up)


def _waits(of: AgendaOriginals, place: AgendaKey, poll_id: str) -> bool:
    poll: HangoutPoll | None = of.at(_poll(place, poll_id))
    if poll is None or poll.closed_at is not None:
        return False
    return of.at(_ballot(place, poll_id)) is None


def _written(before: AgendaEntry | None, after: AgendaEntry | None) -> Write:
    condition = new if before is None else as_read(before, *AgendaEntry.schema.attributes)
    if after is not None:
        return put(after, if_=condition)
    if before is None:
        raise ValueError("What is not there cannot be removed.")
    return delete(before, if_=condition)


def _held(of: AgendaOriginals, place: AgendaKey) -> dict[Key, Write]:
    """That everything is as it was read that made an entry what it is."""
    hangout = of.hangout(place)
    checks = [of.same(_hangout(place), "version")]
    if hangout is not None:
        if place.user_id not in hangout.invited_user_ids:
            checks.append(of.same(_person(place), "groups"))
        checks.append(of.same(_rsvp(place), "status", "updated_at"))
        for poll_id in open_polls(hangout):
            checks.append(of.same(_poll(place, poll_id), "closed_at"))
            checks.append(of.same(_ballot(place, poll_id)))
    return {one.operation.key: one for one in checks}


def transactions(changes: Iterable[EntryChange]) -> Iterator[list[Write]]:
    """The changes in as few writes as they fit in; what several hold is held once."""
    together: dict[Key, Write] = {}
    for one in changes:
        if len({**together, **one.writes}) > REQUEST_OPERATIONS:
            yield list(together.values())
            together = {}
        together.update(one.writes)
    if together:
        yield list(together.values())


def _hangout(place: AgendaKey) -> Ref[Hangout]:
    return Hangout.at(hangout_id=place.hangout_id)


def _person(place: AgendaKey) -> Ref[HangoutPerson]:
    return HangoutPerson.at(user_id=place.user_id)


def _rsvp(place: AgendaKey) -> Ref[Rsvp]:
    return Rsvp.at(hangout_id=place.hangout_id, user_id=place.user_id)


def _poll(place: AgendaKey, poll_id: str) -> Ref[HangoutPoll]:
    return HangoutPoll.at(hangout_id=place.hangout_id, poll_id=poll_id)


def _ballot(place: AgendaKey, poll_id: str) -> Ref[Ballot]:
    return Ballot.at(hangout_id=place.hangout_id, poll_id=poll_id, user_id=place.user_id)
