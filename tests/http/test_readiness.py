"""Whoever asks whether it is ready asks the store once in a few seconds, however often they ask."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from commonroom.accounts.tables import users
from commonroom.http.readiness import KEPT_SECONDS, Readiness
from commonroom.store import Store, Table, put
from commonroom.store.dynamodb import connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import WriteOperation
from commonroom.store.errors import Unavailable
from commonroom.store.streams.tables import WorkerSign
from tests.support.dynamodb_local import settings_for
from tests.support.wire_counter import counting_wire

TIMES = 20


class Watch:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_many_who_ask_dynamodb_cost_two_requests(
    empty_dynamodb: str, tables: Sequence[Table]
) -> None:
    async with counting_wire(empty_dynamodb) as wire:
        store, watch = Store(await connect(settings_for(wire.endpoint))), Watch()
        await store.engine.create_tables(tables)
        readiness = Readiness(store, [users], watch)
        wire.requests.clear()

        async def ask() -> tuple[str, bool]:
            return await readiness.trouble(), await readiness.has_worker()

        answers = await asyncio.gather(*(ask() for _ in range(TIMES)))
        assert set(answers) == {("", False)}
        assert wire.requests == {"DescribeTable": 1, "GetItem": 1}
        await store.write(put(WorkerSign(seen_at=time.time())))
        watch.now += KEPT_SECONDS
        assert await ask() == ("", True)
        await store.close()


class FullDisk(EmbeddedEngine):
    """A file to which nothing can be written."""

    writes = 0
    is_full = True

    async def write(self, operations: Sequence[WriteOperation]) -> None:
        self.writes += 1
        if self.is_full:
            raise Unavailable("The disk is full.")
        await super().write(operations)


async def test_a_write_is_tried_once_in_a_few_seconds_while_writes_fail(
    tmp_path: Path, tables: Sequence[Table]
) -> None:
    engine, watch = FullDisk(tmp_path / "full.db", tables), Watch()
    store = Store(engine)
    store.write_trouble = Unavailable("The disk is full.")
    readiness = Readiness(store, [users], watch)
    answers = await asyncio.gather(*(readiness.trouble() for _ in range(TIMES)))
    assert set(answers) == {"Nothing can be written"}
    assert engine.writes == 1
    engine.is_full = False
    watch.now += KEPT_SECONDS
    assert await readiness.trouble() == ""
    assert engine.writes == 2
    await store.close()
