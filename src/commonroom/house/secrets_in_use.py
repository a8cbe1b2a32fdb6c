"""Secrets in use: a fingerprint in the store, by which machines with different ones are noticed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from commonroom.settings import Secrets, Settings, secrets_of
from commonroom.store import ConditionFailed, Store, StoreError, create, put
from commonroom.store.conditions import equal
from commonroom.store.engine import Clock
from commonroom.store.streams.tables import SecretsInUse, secrets_in_use

logger = logging.getLogger(__name__)

NOTE_SECONDS = 3600.0
FORGOTTEN_SECONDS = 24 * NOTE_SECONDS
"""After so long without a process that uses them, secrets were replaced for good."""
FINGERPRINT_BYTES = 16
DIFFERENT_SECRETS = (
    "The secrets of this machine are not those that the other processes of this data use: cursors, "
    "page links and push keys of one are refused by the other."
)
SAME_SECRETS = "Give all machines the same COMMONROOM_SECRET_KEY, or the same secrets.json."


def fingerprint(secrets: Secrets) -> str:
    """Returns what tells secrets apart, and from which nothing can be derived."""
    return secrets.derived("fingerprint", FINGERPRINT_BYTES).hex()


async def are_in_use(store: Store, secrets: Secrets) -> bool:
    """Whether the processes of this data use these secrets, as far as is known."""
    known = await store.get(secrets_in_use(consumer="secrets"))
    return known is None or known.fingerprint == fingerprint(secrets)


async def note_secrets(store: Store, secrets: Secrets, now: float) -> bool:
    """Notes that a process uses these secrets; False where others use others.

    A data file is used on one machine, so there the newest are the right ones.
    """
    mine = SecretsInUse(fingerprint=fingerprint(secrets), seen_at=now)
    known = await store.get(secrets_in_use(consumer="secrets"))
    age = 0.0 if known is None else abs(now - known.seen_at)
    if known is None:
        write = create(mine)
    elif known.fingerprint == mine.fingerprint and age < NOTE_SECONDS / 2:
        return True
    elif known.fingerprint == mine.fingerprint or _is_replaced(store, age):
        write = put(mine, if_=equal(fingerprint=known.fingerprint, seen_at=known.seen_at))
    else:
        return False
    try:
        await store.write(write)
    except ConditionFailed:
        return await are_in_use(store, secrets)
    return True


def _is_replaced(store: Store, age: float) -> bool:
    """Whether others than these may take the place of secrets that were noted so long ago."""
    return store.engine.name == "embedded" or age >= FORGOTTEN_SECONDS


@asynccontextmanager
async def noting_secrets(
    store: Store, settings: Settings, clock: Clock = time.time
) -> AsyncIterator[None]:
    """Notes at the start, and every hour, which secrets are used; says where others use others."""
    secrets = secrets_of(settings)

    async def note() -> None:
        try:
            if not await note_secrets(store, secrets, clock()):
                logger.error("%s %s", DIFFERENT_SECRETS, SAME_SECRETS)
        except StoreError:
            logger.warning("The secrets in use could not be recorded.", exc_info=True)

    async def keep_noting() -> None:
        while True:
            await asyncio.sleep(NOTE_SECONDS)
            await note()

    await note()
    task = asyncio.create_task(keep_noting())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
