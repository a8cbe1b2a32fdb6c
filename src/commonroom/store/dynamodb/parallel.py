"""The same with each of many, so many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


async def each(limit: int, work: Callable[[A], Awaitable[B]], over: Iterable[A]) -> list[B]:
    """What the work gave for each; the first failure ends the rest and is raised."""
    gate = asyncio.Semaphore(limit)

    async def one(what: A) -> B:
        async with gate:
            return await work(what)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(what)) for what in over]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
