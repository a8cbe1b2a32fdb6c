"""Gaps: changes that a consumer missed, being away for longer than they are kept; their repair."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from commonroom.store.conditions import equal
from commonroom.store.engine import Clock
from commonroom.store.errors import ConditionFailed
from commonroom.store.operations import Write, create, update
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.tables import ConsumerState

logger = logging.getLogger(__name__)

Repair = Callable[[Store, Sequence[Consumer]], Awaitable[None]]
"""Checks and repairs the data that these consumers should have changed."""

NOTE_SECONDS = 3600.0
"""How often it is written down that a consumer has seen everything."""

TOGETHER_SECONDS = 300.0
"""Within which the processes of a new installation begin."""


class Gaps:
    """When each consumer of a worker had last seen everything, and what it has missed."""

    def __init__(
        self, store: Store, consumers: Sequence[Consumer], repair: Repair | None, clock: Clock
    ) -> None:
        self._store = store
        self._consumers = {one.name: one for one in consumers}
        self._repair = repair
        self._clock = clock
        self._states: dict[str, ConsumerState] = {}
        self._has_predecessors = False

    @property
    def needs_repair(self) -> bool:
        """Whether changes were missed after which nobody has repaired the data yet."""
        return self._repair is not None and bool(self._unrepaired)

    async def load(self) -> None:
        """Reads when each consumer had last seen everything."""
        refs = [ConsumerState.at(consumer=name) for name in self._consumers]
        found = await self._store.batch_get(refs)
        self._states = {one.consumer: one for one in found if one is not None}
        # Processes that start together for the first time find what the others have just begun.
        latest = self._clock() - TOGETHER_SECONDS
        self._has_predecessors = any(
            one.since is None or one.since < latest for one in self._states.values()
        )

    async def start(self, name: str, *, is_new: bool) -> None:
        """Lets everybody know that a consumer is there, and notices that it was away too long."""
        streams = sorted(table.name for table in self._consumers[name].tables)
        now, state = self._clock(), self._states.get(name)
        if state is None:
            # Of one that an earlier version ran, nobody knows when it had seen everything.
            followed_at = now if is_new else None
            state = ConsumerState(
                consumer=name, streams=streams, followed_at=followed_at, since=now
            )
            if is_new and self._has_predecessors and self._consumers[name].needs_past:
                logger.warning("%s is new: what was there before is checked and repaired.", name)
                state = replace(state, missed_until=now, is_new=True)
            await self._save(state, create(state))
        elif state.streams != streams:
            await self._save(replace(state, streams=streams), update(state.ref, streams=streams))
        followed_at = self._states[name].followed_at
        if followed_at is not None and now - followed_at > self._retention:
            await self.note_missed(name)

    async def note_followed(self, names: Iterable[str], at: float) -> None:
        """Writes down, once an hour, that these consumers have seen everything."""
        for name in names:
            state = self._states[name]
            if abs(at - (state.followed_at or 0.0)) >= NOTE_SECONDS:
                await self._save(replace(state, followed_at=at), update(state.ref, followed_at=at))

    async def note_trimmed(self, name: str) -> None:
        """Records were gone that a consumer may not have seen.

        Where it had seen everything within the time that records are kept, it has missed none: what
        is gone is older than that.
        """
        followed_at = self._states[name].followed_at
        away = None if followed_at is None else self._clock() - followed_at
        if away is None or not 0 <= away <= self._retention:
            await self.note_missed(name)

    async def note_missed(self, name: str) -> None:
        """Says that a consumer has missed changes; of several workers, one does."""
        state, now = self._states[name], self._clock()
        logger.error("%s has missed changes that are no longer kept.", name)
        missed: dict[str, Any] = {
            "followed_at": now,
            "missed_from": state.followed_at,
            "missed_until": now,
            "repaired_at": None,
            "is_new": False,
        }
        as_seen = equal(missed_until=state.missed_until)
        await self._save(replace(state, **missed), update(state.ref, **missed, if_=as_seen))

    async def repair(self) -> None:
        """Repairs the data after consumers have missed changes; one check does for all of them."""
        states = self._unrepaired
        if self._repair is None:
            return
        try:
            await self._repair(self._store, [self._consumers[one.consumer] for one in states])
        except Exception:  # whatever a check stumbles over, consumers go on
            logger.exception("The data could not be checked; it is tried again.")
            return
        for state in states:
            now = self._clock()
            done = update(state.ref, repaired_at=now, if_=equal(missed_until=state.missed_until))
            await self._save(replace(state, repaired_at=now), done)
        logger.warning("The data was checked and repaired after changes had been missed.")

    @property
    def _unrepaired(self) -> list[ConsumerState]:
        return [
            one
            for one in self._states.values()
            if one.missed_until is not None and one.repaired_at is None
        ]

    @property
    def _retention(self) -> float:
        return self._store.engine.retention_seconds

    async def _save(self, state: ConsumerState, write: Write) -> None:
        """Stores a state; where another worker was quicker, theirs stands."""
        try:
            await self._store.write(write)
        except ConditionFailed as failed:
            state = failed.entity or state
        self._states[state.consumer] = state
