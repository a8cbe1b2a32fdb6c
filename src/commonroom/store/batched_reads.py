"""Batched reads: what several coroutines read by key at the same time, in one request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.store.declare.entity import Ref

Refs: TypeAlias = Sequence[Ref[Any]]
ReadBatch: TypeAlias = Callable[[Refs], Coroutine[Any, Any, list[Any]]]

MAX_WAIT_SECONDS = 0.5
"""After which a batch is sent anyway: others may wait for one that waits, such as for its lock."""


class WaitingRead(Struct, frozen=True, eq=False):
    """What a coroutine asked for, and where it waits for the answer."""

    refs: Refs
    answer: asyncio.Future[list[Any]]


class BatchedReads:
    """Collects the reads by key of coroutines that run together.

    A batch is sent once nobody gets on without it: everybody waits for it, or is done. So there are
    as many batches as the longest chain of such reads, whatever queries stand in between.
    """

    def __init__(self, read: ReadBatch) -> None:
        self._read = read
        self._running = 1
        """How many get on without a batch; the one that made this is the first."""
        self._waiting: list[WaitingRead] = []
        self._patience: asyncio.TimerHandle | None = None
        self._sending: set[asyncio.Task[None]] = set()

    async def gather(self, *reads: Coroutine[Any, Any, Any]) -> list[Any]:
        """Returns what several coroutines return that run in place of the caller."""
        if not reads:
            return []
        tasks = [asyncio.ensure_future(one) for one in reads]
        self._running += len(tasks) - 1
        left = len(tasks)

        def end(_: asyncio.Future[Any]) -> None:
            nonlocal left
            left -= 1
            if left:  # the last one's turn is the caller's again
                self._stop_running()

        for task in tasks:
            task.add_done_callback(end)
        return await asyncio.gather(*tasks)

    async def batch_get(self, refs: Refs) -> list[Any]:
        """Returns things by key, in the order asked, read with those of all others who wait."""
        loop = asyncio.get_running_loop()
        waiting = WaitingRead(refs, loop.create_future())
        self._waiting.append(waiting)
        if self._patience is None:
            self._patience = loop.call_later(MAX_WAIT_SECONDS, self._send_waiting)
        self._stop_running()
        try:
            return await waiting.answer
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
                self._running += 1
            raise

    def _stop_running(self) -> None:
        self._running -= 1
        if self._running <= 0:
            self._send_waiting()

    def _send_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if not self._waiting:
            return
        together, self._waiting = self._waiting, []
        self._running += len(together)
        task = asyncio.create_task(self._send(together))
        self._sending.add(task)  # the loop itself would let go of it
        task.add_done_callback(self._sending.discard)

    async def _send(self, together: list[WaitingRead]) -> None:
        wanted = {_place(ref): ref for one in together for ref in one.refs}
        try:
            found = dict(zip(wanted, await self._read([*wanted.values()]), strict=True))
        except Exception as error:
            for one in _open(together):
                one.answer.set_exception(error)
        else:
            for one in _open(together):
                one.answer.set_result([found[_place(ref)] for ref in one.refs])


def _place(ref: Ref[Any]) -> tuple[Any, ...]:
    return ref.entity, ref.key


def _open(together: Iterable[WaitingRead]) -> list[WaitingRead]:
    """Returns the reads that still wait; cancelled ones are left out."""
    return [one for one in together if not one.answer.done()]


current_batch: ContextVar[BatchedReads | None] = ContextVar("current_batch", default=None)
