"""Leases: one worker at a consumer's shard at a time, by conditional write, with its checkpoint."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from msgspec import Struct
from msgspec.structs import replace

from commonroom.store.conditions import Condition, absent, equal
from commonroom.store.engine import Clock
from commonroom.store.errors import ConditionFailed, Unavailable
from commonroom.store.limits import OPERATIONS
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


class LeaseChange(Struct, frozen=True, eq=False):
    """A write to a stored lease, and what its lease is after that."""

    lease: Lease
    after: ShardState
    condition: Condition

    @property
    def write(self) -> Write:
        """The write, conditional on how the lease was last seen."""
        return self.lease.write_of(self.after, self.condition)


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
        self._written_at = float("-inf")

    @property
    def is_free(self) -> bool:
        """Whether no worker holds the shard, or its holder ended or has given no sign for long."""
        owner = self.state.owner
        if owner in (None, self._holder.name) or self._holder.has_ended(owner):
            return True
        return self._holder.monotonic() - self._watched_since >= self._holder.lease_seconds

    @property
    def is_sure(self) -> bool:
        """Whether it is held, and was written so lately that nobody can have taken it over."""
        age = self._holder.monotonic() - self._written_at
        return self.is_held and age < self._holder.lease_seconds / 3

    async def take(self) -> bool:
        """Takes the shard if it is free and as it was last seen; otherwise learns how it is."""
        if not self._is_certain and not await self._look():
            return False
        taking = self.taking()
        if taking is None:
            self._is_certain = False
            return False
        return not await write_changes(self._store, [taking])

    def taking(self) -> LeaseChange | None:
        """Returns what takes the shard; None where it has to be looked at first, or is not free."""
        if not (self._is_certain and self.is_free):
            return None
        taken = replace(
            self.state,
            owner=self._holder.name,
            leased_until=self._until(),
            turns=self.state.turns + 1,
        )
        return LeaseChange(self, taken, self._as_seen())

    async def checkpoint(
        self, position: str | None, *, finished: bool = False, release: bool = True
    ) -> None:
        """Saves how far the consumer has come; only the holder of the lease can."""
        change = self.saving(position, finished=finished, release=release)
        if await write_changes(self._store, [change]):
            raise LeaseLost(self.state.shard)

    def saving(self, position: str | None, *, finished: bool, release: bool) -> LeaseChange:
        """Returns what saves how far the consumer has come, where this worker holds the lease."""
        owner, until = (None, None) if release else (self._holder.name, self._until())
        after = replace(
            self.state, position=position, finished=finished, owner=owner, leased_until=until
        )
        return LeaseChange(self, after, self._as_held())

    def advancing(self, position: str | None) -> LeaseChange | None:
        """Returns what moves the checkpoint past what the consumer does not want.

        None where another worker holds the lease, which will move it.
        """
        if self.state.owner not in (None, self._holder.name):
            return None
        return LeaseChange(self, replace(self.state, position=position), self._as_seen())

    async def release(self, position: str | None) -> None:
        """Releases the shard where this worker holds it."""
        if self.is_held:
            await self.checkpoint(position)

    def doubt(self) -> None:
        """Looks before the next attempt: a write may have happened whose answer was lost."""
        self.is_held = self._is_certain = False

    @asynccontextmanager
    async def renewed(self) -> AsyncIterator[None]:
        """Keeps the lease while something long runs inside."""
        loop, renewing = asyncio.get_running_loop(), list[asyncio.Task[None]]()
        # Most is done before it is time to renew anything, and then costs no task.
        soon = loop.call_later(
            self._holder.lease_seconds / 3,
            lambda: renewing.append(loop.create_task(self._renew())),
        )
        try:
            yield
        finally:
            soon.cancel()
            for task in renewing:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def _renew(self) -> None:
        while True:
            # A lost lease shows at the next checkpoint; a store that is away may come back.
            with suppress(ConditionFailed, Unavailable):
                began, until = self._holder.monotonic(), self._until()
                await self._store.write(
                    update(self.state.ref, leased_until=until, if_=self._as_held())
                )
                self.state = replace(self.state, leased_until=until)
                self._written_at = began
            await asyncio.sleep(self._holder.lease_seconds / 3)

    async def _look(self) -> bool:
        """Reads the stored state; returns whether it is as it was."""
        before = self.state
        self.see(await self._store.get(before.ref))
        self._is_certain = self.is_free
        return self.state == before

    def note_written(self, after: ShardState, began: float) -> None:
        """Learns that a write was made which began at a moment."""
        self.see(after)
        self.is_held = after.owner == self._holder.name
        self._is_certain, self._written_at = True, began

    def note_failed(self, stored: ShardState | None) -> None:
        """Learns from a write that failed how the lease is stored."""
        self.see(stored)
        # Others are at work here: a look costs less than a write that fails.
        self.doubt()

    def write_of(self, after: ShardState, condition: Condition) -> Write:
        """Returns the write that stores the lease as it is to be."""
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

    @property
    def monotonic(self) -> Clock:
        """The clock of its holder by which leases are watched."""
        return self._holder.monotonic

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


async def write_changes(store: Store, changes: Sequence[LeaseChange]) -> list[LeaseChange]:
    """Writes changes of several leases, as many as fit into one write; returns those that failed.

    Where one of a write fails, the others are written without it.
    """
    failed: list[LeaseChange] = []
    for start in range(0, len(changes), OPERATIONS):
        some = list(changes[start : start + OPERATIONS])
        while some and (index := await _write(store, some)) is not None:
            failed.append(some.pop(index))
    return failed


async def _write(store: Store, changes: Sequence[LeaseChange]) -> int | None:
    """Writes all or none of some changes; returns the number of one that failed."""
    began = changes[0].lease.monotonic()
    try:
        await store.write(*(one.write for one in changes))
    except ConditionFailed as failed:
        changes[failed.index].lease.note_failed(failed.entity)
        return failed.index
    except BaseException:
        for one in changes:
            one.lease.doubt()
        raise
    for one in changes:
        one.lease.note_written(one.after, began)
    return None
