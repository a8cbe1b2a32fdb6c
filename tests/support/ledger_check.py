"""Checks that a file of `ledger` is whole: nothing acknowledged is lost, nothing is by halves."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from commonroom.store import Table
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import ChangeRecord
from commonroom.store.values import Item
from tests.support.dynamodb_local import ROOT
from tests.support.ledger_writer import COUNTED
from tests.support.world import TABLES, diary, names, world


def started(
    path: Path, process: str, *, writers: int = 24, count: int = 100_000
) -> subprocess.Popen[bytes]:
    """A process that fills the ledger."""
    command = [sys.executable, "-m", "tests.support.ledger_writer", str(path), process]
    return subprocess.Popen([*command, str(writers), str(count)], cwd=ROOT, stdout=subprocess.PIPE)


def told(output: bytes, what: str) -> list[str]:
    """What a process said it has done."""
    lines = [line.split() for line in output.decode().splitlines()]
    return [line[1] for line in lines if line[0] == what]


@asynccontextmanager
async def reopened(path: Path) -> AsyncIterator[EmbeddedEngine]:
    """The file, opened again."""
    engine = EmbeddedEngine(path, TABLES)
    try:
        yield engine
    finally:
        await engine.close()


async def check_books(engine: EmbeddedEngine, acknowledged: set[str]) -> int:
    """Asserts all that must be true whenever a writer died; gives the number of transactions."""
    await engine.check_integrity()
    entries = {item["Day"] for item in await everything(engine, diary)}
    contents = await everything(engine, world)
    books = {item["HouseId"] for item in contents if item["Kind"] == "BOOK"}
    counts = [item["Books"] for item in contents if item["Kind"] == "HOUSE"]
    assert acknowledged <= entries, "every acknowledged write is there"
    assert entries == books, "no transaction is there by halves"
    assert counts in ([len(entries)], [] if not entries else None)
    await _check_stream(engine, entries)
    return len(entries)


async def _check_stream(engine: EmbeddedEngine, entries: set[str]) -> None:
    for table, own in ((diary, entries), (world, {f"house#{entry}" for entry in entries})):
        changes = await records(engine, table)
        counted = changes.pop(COUNTED.ref.key, [])
        assert {key[0] for key in changes} == own
        assert {tuple(one.kind for one in several) for several in changes.values()} <= {("insert",)}
        images: list[Any] = [one.new for one in counted]
        assert [image["Books"] for image in images] == list(range(len(images)))
        assert [one.old for one in counted] == [None, *images[:-1]][: len(counted)]
        assert table is diary or len(images) in (len(entries) + 1, 0)


async def records(
    engine: EmbeddedEngine, table: Table
) -> defaultdict[tuple[Any, ...], list[ChangeRecord]]:
    """All records of a table's stream by item."""
    found: defaultdict[tuple[Any, ...], list[ChangeRecord]] = defaultdict(list)
    for shard in await engine.shards(table):
        after = None
        while (changes := await engine.changes(table, shard.id, after, 1000)).records:
            after = changes.position
            for record in changes.records:
                found[record.key].append(record)
    return found


async def everything(engine: EmbeddedEngine, table: Table) -> list[Item]:
    """All items of a table."""
    items: list[Item] = []
    start = None
    while True:
        rows = await engine.scan(table, limit=1000, start=start)
        items += rows.items
        start = rows.next
        if start is None:
            return items


async def holders(engine: EmbeddedEngine) -> dict[str, str]:
    """Who claimed which name."""
    return {item["Name"]: item["Holder"] for item in await everything(engine, names)}
