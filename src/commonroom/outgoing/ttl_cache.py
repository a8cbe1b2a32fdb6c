"""A cache in memory whose entries expire."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class TtlCache(Generic[T]):
    """Values by key, each for so many seconds; the oldest goes where there are too many."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._entries: dict[str, tuple[T, float]] = {}

    def get(self, key: str) -> T | None:
        """The value of a key, if there is one that has not expired."""
        entry = self._entries.get(key)
        return entry[0] if entry is not None and self._clock() < entry[1] else None

    def put(self, key: str, value: T, seconds: float) -> None:
        """Keeps a value for a while."""
        self._entries.pop(key, None)  # so that it becomes the newest
        self._entries[key] = (value, self._clock() + seconds)
        if len(self._entries) > self._most:
            del self._entries[next(iter(self._entries))]
