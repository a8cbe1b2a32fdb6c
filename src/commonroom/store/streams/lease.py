"""Leases: one worker at a shard at a time, by conditional write, with its checkpoint."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from commonroom.store.conditions import absent, at_most, equal
from commonroom.store.engine import Clock
from commonroom.store.errors import ConditionFailed, Unavailable
from commonroom.store.operations import create, update
from commonroom.store.store import Store
from commonroom.store.streams.tables import ShardState


class LeaseLost(Exception):
    """Another worker has taken the shard over; what was done since may be done again."""


class Lease:
    """A shard that this worker has for itself, as long as it keeps renewing."""

    def __init__(
        self, store: Store, state: ShardState, owner: str, seconds: float, clock: Clock
    ) -> None:
        self.state = state
        self._store = store
        self._owner = owner
        self._seconds = seconds
        self._clock = clock

    @property
    def _until(self) -> float:
        return self._clock() + self._seconds

    async def take(self) -> bool:
        """Takes the shard if nobody has it, and learns how far its last worker came."""
        try:
            await self._store.write(
                update(
                    self.state.ref,
                    owner=self._owner,
                    leased_until=self._until,
                    if_=absent("owner")
                    | equal(owner=self._owner)
                    | at_most(leased_until=self._clock()),
                )
            )
        except ConditionFailed as failed:
            if failed.item is not None:
                return False
            return await self._take_first()
        state = await self._store.get(self.state.ref)
        if state is None or state.owner != self._owner:
            return False
        self.state = state
        return True

    async def _take_first(self) -> bool:
        state = ShardState(
            consumer=self.state.consumer,
            stream=self.state.stream,
            shard=self.state.shard,
            owner=self._owner,
            leased_until=self._until,
        )
        try:
            await self._store.write(create(state))
        except ConditionFailed:
            return False
        self.state = state
        return True

    async def checkpoint(
        self, position: str | None, *, finished: bool = False, release: bool = False
    ) -> None:
        """Remembers how far the consumer has come; only whoever holds the lease can."""
        owner = None if release else self._owner
        until = None if release else self._until
        try:
            await self._store.write(
                update(
                    self.state.ref,
                    position=position,
                    finished=finished,
                    owner=owner,
                    leased_until=until,
                    if_=equal(owner=self._owner),
                )
            )
        except ConditionFailed as failed:
            raise LeaseLost(self.state.shard) from failed

    @asynccontextmanager
    async def renewed(self) -> AsyncIterator[None]:
        """Keeps the lease while something long runs inside."""
        renewing = asyncio.create_task(self._renew())
        try:
            yield
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._seconds / 3)
            # A lost lease shows at the next checkpoint; a store that is away may come back.
            with suppress(ConditionFailed, Unavailable):
                await self._store.write(
                    update(self.state.ref, leased_until=self._until, if_=equal(owner=self._owner))
                )
