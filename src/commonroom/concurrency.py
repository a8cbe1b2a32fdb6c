"""Concurrency with a bound: the same work for each of many, so many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
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
