"""Waiting for several things at once, and not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from commonroom.catalog.tmdb.errors import NoAnswer

T = TypeVar("T")


async def in_time(
    several: Iterable[Callable[[], Coroutine[Any, Any, T]]], until: float
) -> list[T | NoAnswer | TimeoutError]:
    """What comes of each by a moment of the event loop's clock, or why nothing does."""
    tasks = [asyncio.create_task(_outcome(one)) for one in several]
    try:
        if tasks:
            left = until - asyncio.get_running_loop().time()
            await asyncio.wait(tasks, timeout=max(0.0, left))
        return [task.result() if task.done() else TimeoutError() for task in tasks]
    finally:
        for task in tasks:
            task.cancel()


async def _outcome(begin: Callable[[], Coroutine[Any, Any, T]]) -> T | NoAnswer:
    try:
        return await begin()
    except NoAnswer as error:
        return error
