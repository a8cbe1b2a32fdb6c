"""Not asking more often than is welcome."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """Gives turns: some at once, the others evenly, so many in a second."""

    def __init__(
        self, per_second: float, at_once: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._apart = 1 / per_second
        self._lead = (at_once - 1) * self._apart
        self._clock = clock
        self._next = clock()

    def turn(self) -> float:
        """Takes the next turn: how many seconds it is until then."""
        now = self._clock()
        mine = max(self._next, now)
        self._next = mine + self._apart
        return max(0.0, mine - self._lead - now)
