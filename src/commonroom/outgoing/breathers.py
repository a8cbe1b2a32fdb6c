"""Leaving somebody alone for a while after they kept failing."""

from __future__ import annotations

import time
from collections.abc import Callable


class Breather:
    """After so many failures in a row nothing is asked for a while; then one request tries again.

    So a server that is down costs its time limit a few times, and not with every request.
    """

    def __init__(
        self,
        *,
        failures: int = 3,
        seconds: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = failures
        self._seconds = seconds
        self._clock = clock
        self._failures = 0
        self._until: float | None = None
        self._tried = False

    def may_ask(self) -> bool:
        """Whether to ask; when a rest is over, only the first who wants to know may.

        It need not say what became of it: until somebody was answered, one may ask per rest.
        """
        if self._until is None:
            return True
        if self._clock() < self._until:
            return False
        self._until = self._clock() + self._seconds
        self._tried = True
        return True

    def answered(self) -> None:
        """It works. Who asked before the rest began does not end it."""
        self._failures = 0
        if self._tried:
            self._until, self._tried = None, False

    def failed(self) -> bool:
        """It did not work; True where that begins a rest."""
        self._failures += 1
        if self._until is not None or self._failures < self._most:
            return False
        self.rest(self._seconds)
        return True

    def rest(self, seconds: float) -> None:
        """Asks nothing for so long."""
        self._until, self._tried = self._clock() + seconds, False
