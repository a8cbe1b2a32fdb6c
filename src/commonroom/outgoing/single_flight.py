"""Single flight: the same work is done once for all who want it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from commonroom.outgoing.errors import OutgoingError, Unreachable

T = TypeVar("T")


class TooMuch(OutgoingError):
    """So much is being fetched that no more is begun."""


class SingleFlight(Generic[T]):
    """Runs one task for each key, whoever waits for it; only so many at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tasks: dict[str, asyncio.Task[T]] = {}

    async def run(self, key: str, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a key's task; that somebody stops waiting does not stop it for others."""
        task = self._tasks.get(key)
        if task is None:
            if len(self._tasks) >= self._most:
                raise TooMuch("Too many downloads at once; try again in a moment.")
            task = self._tasks[key] = asyncio.create_task(begin())
            task.add_done_callback(lambda task: self._forget(key, task))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and not _is_cancelled():
                raise Unreachable("Commonroom is shutting down.") from None
            raise

    async def close(self) -> None:
        """Cancels all tasks."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, key: str, task: asyncio.Task[T]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # nobody may be waiting for it any more


def _is_cancelled() -> bool:
    """Whether it is the one who waits that was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
