"""Retry of a write that lost a race: optimistic locking, tried anew from the read on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.store.errors import ConditionFailed

T = TypeVar("T")


class Retry(Struct, frozen=True):
    """Makes an attempt up to so many times, then raises a room's own error for a lost race."""

    tries: int
    refusal: type[CommonroomError]

    async def __call__(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What an attempt gives; it reads and writes anew each time that a condition fails."""
        for _ in range(self.tries):
            try:
                return await attempt()
            except ConditionFailed:
                continue
        raise self.conflict()

    def conflict(self) -> CommonroomError:
        """The error for whoever comes after somebody else."""
        return self.refusal("Somebody was quicker. Please try again.")
