"""What somebody said lately, in this process: so much, and none of it for long."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Memory(Generic[T]):
    """Things by name, each for so many seconds; the oldest goes where there are too many."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._kept: dict[str, tuple[T, float]] = {}

    def find(self, name: str) -> T | None:
        """What is remembered under a name."""
        kept = self._kept.get(name)
        return kept[0] if kept is not None and self._clock() < kept[1] else None

    def keep(self, name: str, thing: T, seconds: float) -> None:
        """Remembers a thing for a while."""
        self._kept.pop(name, None)  # so that it becomes the newest
        self._kept[name] = (thing, self._clock() + seconds)
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
