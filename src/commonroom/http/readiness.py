"""Readiness: what the store says of itself, asked every few seconds however often anyone asks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from commonroom.accounts.tables import DoneBefore
from commonroom.errors import CommonroomError
from commonroom.store import Store, Table, put
from commonroom.store.engine import Clock
from commonroom.store.streams.workers import has_worker

T = TypeVar("T")

KEPT_SECONDS = 5.0


class KeptAnswer(Generic[T]):
    """An answer that is looked up anew after a few seconds, once for all who wait for it."""

    def __init__(self, look_up: Callable[[], Awaitable[T]], monotonic: Clock) -> None:
        self._look_up = look_up
        self._monotonic = monotonic
        self._lock = asyncio.Lock()
        self._cached: tuple[T, float] | None = None

    async def get(self) -> T:
        """Returns the answer as of a few seconds ago at most."""
        async with self._lock:
            if self._cached is None or self._monotonic() - self._cached[1] >= KEPT_SECONDS:
                self._cached = await self._look_up(), self._monotonic()
            return self._cached[0]

    def forget(self) -> None:
        """Looks it up anew the next time."""
        self._cached = None


class Readiness:
    """Whether the store can work, and whether a worker processes its changes."""

    def __init__(
        self, store: Store, tables: Sequence[Table], monotonic: Clock = time.monotonic
    ) -> None:
        self._store = store
        self._tables = tables
        self._table_trouble = KeptAnswer(self._examine_tables, monotonic)
        self._can_write = KeptAnswer(self._try_to_write, monotonic)
        self._has_worker = KeptAnswer(lambda: has_worker(store, time.time()), monotonic)

    async def trouble(self) -> str:
        """Returns why the store cannot work; empty where it can."""
        if trouble := await self._table_trouble.get():
            return trouble
        if self._store.write_trouble is None:
            self._can_write.forget()
            return ""
        return "" if await self._can_write.get() else "Nothing can be written"

    async def has_worker(self) -> bool:
        """Whether changes are processed."""
        return await self._has_worker.get()

    async def _examine_tables(self) -> str:
        try:
            missing = await self._store.engine.missing_tables(self._tables)
        except CommonroomError as error:
            return error.title
        return "Tables are missing" if missing else ""

    async def _try_to_write(self) -> bool:
        """Tries a write after one has failed: who asks may be all that is left of the traffic."""
        now = int(time.time())
        probe = DoneBefore(user_id="health", request_key="ready", fingerprint="", ttl=now)
        try:
            await self._store.write(put(probe))
        except CommonroomError:
            return False
        return True
