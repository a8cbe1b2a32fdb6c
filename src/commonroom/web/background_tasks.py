"""Errands: what a process does after it has answered, and before it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from commonroom.errors import CommonroomError
from commonroom.outgoing.mail import MailFailed

logger = logging.getLogger(__name__)

MOST = 100
"""How many may wait; a crowd that asks for more must not fill the memory."""
AT_ONCE = 4
LAST_SECONDS = 4.0
"""How long the end of the process waits for them: a little less than a server waits for all."""


class BackgroundTasks:
    """Those of one process. One that fails is written down, and nobody else hears of it."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[None]] = set()
        self._few = asyncio.Semaphore(AT_ONCE)

    def later(self, errand: Callable[[], Awaitable[object]]) -> None:
        """Does something soon, without anybody waiting for it."""
        if len(self._under_way) >= MOST:
            logger.warning("Too much is left to do, so a letter is not sent.")
            return
        task = asyncio.create_task(self._run(errand))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def close(self, seconds: float = LAST_SECONDS) -> None:
        """Waits for those under way, and ends what takes too long."""
        if not self._under_way:
            return
        _, late = await asyncio.wait(self._under_way, timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            logger.warning("%d letters were not sent before the end.", len(late))
            await asyncio.wait(late)

    async def _run(self, errand: Callable[[], Awaitable[object]]) -> None:
        try:
            async with self._few:
                await errand()
        except MailFailed as failed:
            logger.warning("A letter was not sent: %s", failed.why)
        except CommonroomError as error:
            logger.warning("A letter was not sent: %s", error.detail)
        except Exception:
            logger.exception("A letter was not sent")
