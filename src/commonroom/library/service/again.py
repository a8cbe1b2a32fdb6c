"""Trying again when somebody was quicker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from commonroom.library.errors import Conflict
from commonroom.store import ConditionFailed

T = TypeVar("T")

TRIES = 25
"""Enough for as many who put something into one collection in the same moment."""


async def again(attempt: Callable[[], Awaitable[T]]) -> T:
    """What an attempt gives: it reads and writes anew each time that a condition of it fails."""
    for _ in range(TRIES):
        try:
            return await attempt()
        except ConditionFailed:
            continue
    raise Conflict("Somebody was quicker. Please try again.")
