"""Both engines on the tables of `world`, opened the same way, on a clock that tests can put on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb import DynamoSettings, connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine

Place = Path | DynamoSettings
"""Where an engine keeps its data: a file, or a DynamoDB with a prefix for its tables."""


class Clock:
    """The time, as much later as a test wants it, or stopped."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.stopped: float | None = None

    def __call__(self) -> float:
        return time.time() + self.ahead if self.stopped is None else self.stopped


@asynccontextmanager
async def opened(place: Place, tables: Sequence[Table], clock: Clock) -> AsyncIterator[Engine]:
    """An engine on tables that are there already or, in a file, made now."""
    engine: Engine
    if isinstance(place, Path):
        # What tests write need not survive a power cut; tests/crash opens its files otherwise.
        engine = EmbeddedEngine(place, tables, durability="OFF", clock=clock)
    else:
        engine = await connect(place, clock)
    try:
        yield engine
    finally:
        await engine.close()


def made_tables(settings: DynamoSettings, tables: Sequence[Table]) -> DynamoSettings:
    """The same settings, once their tables have been created."""

    async def make() -> None:
        async with await connect(settings) as engine:
            await engine.create_tables(tables)

    asyncio.run(make())
    return settings
