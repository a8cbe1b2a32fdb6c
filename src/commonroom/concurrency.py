"""Concurrency: the same work for each of many, so many at a time; and work in a daemon thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


async def gather_each(
    work: Callable[[A], Awaitable[B]], things: Iterable[A], *, limit: int = 20
) -> list[B]:
    """What the work gave for each, in order; the first failure ends the rest and is raised."""
    semaphore = asyncio.Semaphore(limit)

    async def one(thing: A) -> B:
        async with semaphore:
            return await work(thing)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(thing)) for thing in things]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


async def run_in_daemon_thread(work: Callable[[], B], *, name: str) -> B:
    """What the work gives, done in a thread of its own that does not keep the process alive."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[B] = loop.create_future()

    def settle(result: B | None, error: Exception | None) -> None:
        if future.done():  # nobody waits any more
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type] # it is what the work gave

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except Exception as error:
            failure = error
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await future
