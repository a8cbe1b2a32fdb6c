"""A circuit breaker: leaves a server alone for a while after it kept failing."""

from __future__ import annotations

import time
from collections.abc import Callable


class CircuitBreaker:
    """Opens after so many failures in a row; after a while one request tries again.

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
        self._open_until: float | None = None
        self._half_open = False

    def allows(self) -> bool:
        """Whether to send a request; when the time is over, only the first who asks may.

        It need not say what became of it: until one succeeded, one request is let through each
        time.
        """
        if self._open_until is None:
            return True
        if self._clock() < self._open_until:
            return False
        self._open_until = self._clock() + self._seconds
        self._half_open = True
        return True

    def succeeded(self) -> None:
        """A request succeeded. One that was sent before it opened does not close it."""
        self._failures = 0
        if self._half_open:
            self._open_until, self._half_open = None, False

    def failed(self) -> bool:
        """A request failed; True where that opens it."""
        self._failures += 1
        if self._open_until is not None or self._failures < self._most:
            return False
        self.open_for(self._seconds)
        return True

    def open_for(self, seconds: float) -> None:
        """Lets no request through for so long."""
        self._open_until, self._half_open = self._clock() + seconds, False
