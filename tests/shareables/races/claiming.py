"""A process that claims short ids as fast as it can and says which; it ends when it is killed.

Run as `python -m tests.shareables.races.claiming FILE` or with a DynamoDB's address.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from commonroom.moments import iso
from commonroom.shareables.service.pool import claim
from commonroom.shareables.tables import Checklist
from commonroom.store import Store
from commonroom.store.dynamodb import connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from tests.shareables.furniture import TABLES
from tests.support.dynamodb_local import settings_for

CLAIMERS = 8


def bare_list(short_id: str) -> Checklist:
    """A page with nothing on it."""
    now = time.time()
    return Checklist(
        short_id=short_id,
        name="Bare",
        expires_after=1,
        created_at=iso(now),
        updated_at=iso(now),
        expires_at=iso(now + 86400),
        ttl=2 * 10**10,
    )


async def keep_claiming(store: Store) -> None:
    """One claim after the other, each announced when it is acknowledged."""
    while True:
        page = await claim(store, time.time(), bare_list)
        os.write(sys.stdout.fileno(), f"{page.short_id}\n".encode())


async def engine_at(place: str) -> Engine:
    """The engine with a file or, at an address, a DynamoDB."""
    if place.startswith("http"):
        return await connect(settings_for(place))
    return EmbeddedEngine(Path(place), TABLES)


async def main(place: str) -> None:
    """Several at once."""
    store = Store(await engine_at(place))
    await asyncio.gather(*(keep_claiming(store) for _ in range(CLAIMERS)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
