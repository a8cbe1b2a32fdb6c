"""Doing the same for many, some at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 20


async def each(do: Callable[[T], Awaitable[R]], things: Sequence[T]) -> list[R]:
    """What comes of doing it for each, in the same order."""
    done: list[R] = []
    for start in range(0, len(things), AT_ONCE):
        done += await asyncio.gather(*map(do, things[start : start + AT_ONCE]))
    return done
