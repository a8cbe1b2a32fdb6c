"""Trying again when somebody was quicker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.store.errors import ConditionFailed

T = TypeVar("T")


class Again(Struct, frozen=True):
    """Makes an attempt so many times, and then says in a room's own error that it was too late."""

    tries: int
    refusal: type[CommonroomError]

    async def __call__(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What an attempt gives; it reads and writes anew each time that a condition fails."""
        for _ in range(self.tries):
            try:
                return await attempt()
            except ConditionFailed:
                continue
        raise self.too_late()

    def too_late(self) -> CommonroomError:
        """The refusal for whoever comes after somebody else."""
        return self.refusal("Somebody was quicker. Please try again.")
