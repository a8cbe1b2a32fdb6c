"""How long is waited for what consumers may be about to mend by themselves."""

from __future__ import annotations

import asyncio

STEP = 0.25


class Patience:
    """So many seconds for a whole check: where nobody is at work, they are spent only once."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    async def wait(self) -> bool:
        """Waits a moment; False where there is nothing left to wait."""
        if self._left <= 0:
            return False
        self._left -= STEP
        await asyncio.sleep(STEP)
        return True
