"""Fills new keys of a shelf and tells every step, until it is killed: `python -m … <file>`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.upgrades.upgrade import Upgrade
from tests.store.upgrades.generations import second


async def upgrade(path: Path) -> None:
    """Until it is complete."""
    new = second()
    store = Store(EmbeddedEngine(path, new.tables))
    await Upgrade(store, new.tables).fill(
        lambda _name, done, total: print(done, "of", total, flush=True)
    )
    await store.close()
    print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(upgrade(Path(sys.argv[1])))
