"""Workers that run apart from the servers: the sign that they give, and who looks for it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from commonroom.moments import elapsed
from commonroom.store.engine import Clock
from commonroom.store.errors import StoreError
from commonroom.store.operations import put
from commonroom.store.store import Store
from commonroom.store.streams.tables import WorkerSign, worker_sign

logger = logging.getLogger(__name__)

SIGN_SECONDS = 300.0
MAX_SILENCE_SECONDS = 3 * SIGN_SECONDS
NO_WORKER = (
    "No worker is running: notifications, copies and timers wait until "
    "`commonroom worker` runs beside the servers."
)


async def has_worker(store: Store, now: float) -> bool:
    """Whether changes are processed: by the servers themselves, or by a worker seen lately."""
    if store.engine.name == "embedded":
        return True
    sign = await store.get(worker_sign(consumer="worker"))
    return sign is not None and elapsed(sign.seen_at, now) < MAX_SILENCE_SECONDS


@asynccontextmanager
async def giving_signs(store: Store, clock: Clock = time.time) -> AsyncIterator[None]:
    """Lets servers and `doctor` know meanwhile that a worker is there."""

    async def give() -> None:
        while True:
            try:
                await store.write(put(WorkerSign(seen_at=clock())))
            except StoreError:
                logger.warning("The worker's heartbeat could not be stored.", exc_info=True)
            await asyncio.sleep(SIGN_SECONDS)

    task = asyncio.create_task(give())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
