"""Leases: one worker at a consumer's shard at a time, by conditional write, with its checkpoint."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from msgspec import Struct
from msgspec.structs import replace

from commonroom.store.conditions import Condition, absent, equal
from commonroom.store.engine import Clock
from commonroom.store.errors import ConditionFailed, Unavailable
from commonroom.store.operations import Write, create, update
from commonroom.store.store import Store
from commonroom.store.streams.tables import ShardState


class LeaseLost(Exception):
    """Another worker has taken the shard over; what was done since may be done again."""


class Holder(Struct, frozen=True):
    """A worker that takes leases: its name, how long they last, and its clocks."""

    name: str
    lease_seconds: float
    clock: Clock
    monotonic: Clock
    has_ended: Callable[[str], bool] = lambda _: False
    """Whether another worker is known to run no more, so that nobody needs to watch it."""


class Lease:
    """A consumer's shard, as this worker last saw it stored, and its claim to it.

    Every write is conditional on that, so that nothing is read before it. Whether another worker
    has died is told by the engine, or by watching: its lease is not renewed for as long as a lease
    lasts, by the monotonic clock of the watcher. No two wall clocks have to agree.
    """

    def __init__(
        self, store: Store, state: ShardState, holder: Holder, *, is_stored: bool = True
    ) -> None:
        self.state = state
        self.is_held = False
        self._store = store
        self._holder = holder
        self._is_stored = is_stored
        self._is_certain = True
        self._watched_since = holder.monotonic()

    @property
    def is_free(self) -> bool:
        """Whether no worker holds the shard, or its holder ended or has given no sign for long."""
        owner = self.state.owner
        if owner in (None, self._holder.name) or self._holder.has_ended(owner):
            return True
        return self._holder.monotonic() - self._watched_since >= self._holder.lease_seconds

    async def take(self) -> bool:
        """Takes the shard if it is free and as it was last seen; otherwise learns how it is."""
        if not self._is_certain and not await self._look():
            return False
        if not self.is_free:
            self._is_certain = False
            return False
        taken = replace(
            self.state,
            owner=self._holder.name,
            leased_until=self._until(),
            turns=self.state.turns + 1,
        )
        self.is_held = await self._write(taken)
        return self.is_held

    async def checkpoint(
        self, position: str | None, *, finished: bool = False, release: bool = True
    ) -> None:
        """Saves how far the consumer has come; only the holder of the lease can."""
        owner, until = (None, None) if release else (self._holder.name, self._until())
        after = replace(
            self.state, position=position, finished=finished, owner=owner, leased_until=until
        )
        self.is_held = not release
        if not await self._write(after, if_=self._as_held()):
            raise LeaseLost(self.state.shard)

    async def release(self) -> None:
        """Releases the shard without having moved on."""
        if self.is_held:
            await self.checkpoint(self.state.position)

    async def advance(self, position: str | None) -> bool:
        """Moves the checkpoint past what the consumer does not want, where no worker holds it."""
        if self.state.owner not in (None, self._holder.name):
            return True  # its holder will move it
        return await self._write(replace(self.state, position=position))

    def doubt(self) -> None:
        """Looks before the next attempt: a write may have happened whose answer was lost."""
        self.is_held = self._is_certain = False

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
            await asyncio.sleep(self._holder.lease_seconds / 3)
            # A lost lease shows at the next checkpoint; a store that is away may come back.
            with suppress(ConditionFailed, Unavailable):
                until = self._until()
                await self._store.write(
                    update(self.state.ref, leased_until=until, if_=self._as_held())
                )
                self.state = replace(self.state, leased_until=until)

    async def _look(self) -> bool:
        """Reads the stored state; returns whether it is as it was."""
        before = self.state
        self.see(await self._store.get(before.ref))
        self._is_certain = self.is_free
        return self.state == before

    async def _write(self, after: ShardState, if_: Condition | None = None) -> bool:
        try:
            await self._store.write(self._change_to(after, if_ or self._as_seen()))
        except ConditionFailed as failed:
            self.see(failed.entity)
            self.is_held = False
            # Others are at work here: a look costs less than a write that fails.
            self._is_certain = False
            return False
        except BaseException:
            self.doubt()
            raise
        self.see(after)
        self._is_certain = True
        return True

    def _change_to(self, after: ShardState, condition: Condition) -> Write:
        if not self._is_stored:
            return create(after)
        return update(
            after.ref,
            position=after.position,
            finished=after.finished,
            owner=after.owner,
            leased_until=after.leased_until,
            turns=after.turns,
            if_=condition,
        )

    def see(self, stored: ShardState | None) -> None:
        """Learns what is stored."""
        if stored is None:
            seen = self.state
            stored = ShardState(consumer=seen.consumer, stream=seen.stream, shard=seen.shard)
            self._is_stored = False
        else:
            self._is_stored = True
        if stored != self.state:
            self._watched_since = self._holder.monotonic()
        self.state = stored

    def _as_seen(self) -> Condition:
        state = self.state
        turns = equal(turns=state.turns)
        return equal(
            owner=state.owner, leased_until=state.leased_until, position=state.position
        ) & (turns if state.turns else turns | absent("turns"))

    def _as_held(self) -> Condition:
        return equal(owner=self._holder.name, turns=self.state.turns)

    def _until(self) -> float:
        """Later than before, also where the clock was put back."""
        until = self._holder.clock() + self._holder.lease_seconds
        return round(max(until, (self.state.leased_until or 0.0) + 0.001), 3)
