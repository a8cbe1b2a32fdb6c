"""Joins rooms that know what was watched together with those that keep who has seen what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import product

from msgspec import Struct

from commonroom.joins.rooms import Room, offers_without_server
from commonroom.joins.watched_titles import Evenings, WatchedFollower, WatchedTitles
from commonroom.store import Store
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.streams import Change, Consumer


class Join(Struct, frozen=True):
    """A room that tells, and one that follows."""

    name: str
    titles: WatchedTitles
    follower: WatchedFollower

    async def carry(self, store: Store, change: Change) -> None:
        """Marks a title as seen for everybody who watched it together, by what is known now."""
        about = change.new or change.old
        now = await store.get(about.ref)
        if now is None and not await self.titles.is_undone(store, about):
            return
        there = {} if now is None else self.titles.evenings(now)
        known = [one for one in (change.old, change.new) if one is not None]
        gone = defaultdict[str, set[str]](set)
        for one in known:
            for evening_id, evening in self.titles.evenings(one).items():
                left = {*evening.people} - _people(there, evening_id)
                for person in left:
                    gone[person].add(evening_id)
        await self.follower.follow(
            store, change.at, self.titles.title(now or about), _marks(there), gone
        )


def joins(rooms: Sequence[Room]) -> Iterator[Join]:
    """Yields every pair of rooms in which one tells and the other follows."""
    for teller, follower in product(rooms, repeat=2):
        name = f"{teller.key}-watched-to-{follower.key}"
        for titles in offers_without_server([teller], WatchedTitles):
            for follows in offers_without_server([follower], WatchedFollower):
                yield Join(name, titles, follows)


def watched_consumers(rooms: Sequence[Room]) -> list[Consumer]:
    """Returns those who carry from one to the other."""
    return [
        Consumer(name=join.name, wants=(join.titles.entity,), handle=join.carry)
        for join in joins(rooms)
    ]


class WatchedCheck:
    """Looks for marks that should be there and are not, as after rooms were switched off."""

    def __init__(self, rooms: Sequence[Room]) -> None:
        self._joins = list(joins(rooms))

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields which of these evenings are not marked for everybody who was there."""
        for join in self._joins:
            for thing in things:
                if isinstance(thing.entity, join.titles.entity):
                    title = join.titles.title(thing.entity)
                    marks = _marks(join.titles.evenings(thing.entity))
                    writes = await join.follower.missing(store, title, marks)
                    if writes:
                        table = thing.entity.schema.table.name
                        detail = "Not everybody who watched it has it marked as seen."
                        repair = tuple(writes[:REQUEST_OPERATIONS])
                        yield Problem("watched", table, thing.key, detail, repair)


def _people(evenings: Evenings, evening_id: str) -> set[str]:
    there = evenings.get(evening_id)
    return set() if there is None else {*there.people}


def _marks(evenings: Evenings) -> dict[str, dict[str, str]]:
    marks = defaultdict[str, dict[str, str]](dict)
    for evening_id, evening in evenings.items():
        for person in evening.people:
            marks[person][evening_id] = evening.watched_at
    return marks
