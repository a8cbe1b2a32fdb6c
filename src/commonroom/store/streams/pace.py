"""The pace of polling: quick while things happen, slow when nothing does, at a bounded cost."""

from __future__ import annotations

from commonroom.store.engine import Clock

BUSY_SECONDS = 1.0
"""Between two rounds while things happen."""
SLOWING = 30.0
"""After so many seconds of quiet the pauses begin to grow: to a thirtieth of the quiet."""
REQUESTS_A_MINUTE = 40.0
"""What polling may cost when nothing happens, whatever the number of shards."""


class Pace:
    """How long to wait until the next round, given how long nothing has happened."""

    def __init__(self, monotonic: Clock) -> None:
        self._monotonic = monotonic
        self._active_at = monotonic()

    def quicken(self) -> None:
        """Something happened."""
        self._active_at = self._monotonic()

    def pause(self, requests: int) -> float:
        """Seconds until the next round, where a round takes so many requests."""
        quiet = self._monotonic() - self._active_at
        longest = max(BUSY_SECONDS, requests * 60.0 / REQUESTS_A_MINUTE)
        return min(longest, max(BUSY_SECONDS, quiet / SLOWING))
