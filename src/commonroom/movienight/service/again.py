"""Trying again when somebody was quicker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from commonroom.movienight.errors import Conflict
from commonroom.store import ConditionFailed

T = TypeVar("T")

TRIES = 10
"""Enough for a full household that does the same in the same moment."""


async def again(attempt: Callable[[], Awaitable[T]]) -> T:
    """What an attempt gives: it reads and writes anew each time that a condition of it fails."""
    for _ in range(TRIES):
        try:
            return await attempt()
        except ConditionFailed:
            continue
    raise too_late()


def too_late() -> Conflict:
    """The refusal for whoever comes after somebody else."""
    return Conflict("Somebody was quicker. Please try again.")
