"""Everything out of an engine and into another: nothing is lost, nothing is changed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.store.dynamodb import connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.read_only import open_to_read
from commonroom.store.embedded.reads import Snapshot
from commonroom.store.transfer.exporter import DataFileWriter
from commonroom.store.transfer.importer import TableExport, items
from commonroom.store.transfer.manifest import DATA
from commonroom.store.values import Item, same_value
from tests.support.dynamodb_local import settings_for
from tests.support.transfers import (
    ODD_VALUES,
    TABLES,
    everything,
    load_export,
    names,
    readings,
    write_export,
)
from tests.support.world import Book, House, fresh, world

Make = Callable[[str], EmbeddedEngine]


async def fill(engine: EmbeddedEngine) -> None:
    """Things as rooms store them, and an item with every value that there is."""
    book = Book(
        house_id="h", book_id="b", owner_id="o", shelf="s", place=3, rank=1.5, cover=b"\x00"
    )
    await engine.load(world, [House(house_id="h", title="Ours").to_item(), book.to_item()])
    await engine.load(names, [{"Name": "odd", **ODD_VALUES}])
    numbers = [{"Sensor": n, "Moment": n / 7, "Value": n} for n in range(-600, 600)]
    await engine.load(readings, numbers)


async def test_from_embedded_to_embedded_every_item_is_the_same_to_the_type(
    embedded: Make, tmp_path: Path
) -> None:
    source, target = embedded("source"), embedded("target")
    await fill(source)
    exported = await write_export(source, TABLES, tmp_path / "export")
    assert exported.tables == {"World": 2, "Readings": 1200, "Names": 1}
    assert await load_export(target, TABLES, tmp_path / "export") == exported.tables
    for table in TABLES:
        before, after = await everything(source, table), await everything(target, table)
        assert [typed(item) for item in after] == [typed(item) for item in before]


async def test_by_way_of_dynamodb_every_item_is_the_same(
    embedded: Make, tmp_path: Path, dynamodb_local: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "transfer")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    source, target = embedded("source"), embedded("target")
    await fill(source)
    await write_export(source, TABLES, tmp_path / "there")
    settings = settings_for(dynamodb_local, f"transfer-{fresh()}-")
    async with await connect(settings) as dynamo:
        await dynamo.create_tables(TABLES)
        await load_export(dynamo, TABLES, tmp_path / "there")
        await write_export(dynamo, TABLES, tmp_path / "back")
    await load_export(target, TABLES, tmp_path / "back")
    for table in TABLES:
        before, after = await everything(source, table), await everything(target, table)
        assert len(after) == len(before)
        for one, other in zip(before, after, strict=True):
            assert same_value(one, other), (one, other)


async def test_what_has_expired_stays_behind(embedded: Make, tmp_path: Path) -> None:
    engine = embedded("source")
    past = Book(house_id="h", book_id="past", expires_at=int(time.time()) - 10)
    coming = Book(house_id="h", book_id="coming", expires_at=int(time.time()) + 1000)
    await engine.load(world, [past.to_item(), coming.to_item()])
    assert (await write_export(engine, TABLES, tmp_path / "export")).items == 1


async def test_an_export_of_a_snapshot_is_of_one_moment(embedded: Make, tmp_path: Path) -> None:
    engine = embedded("source")
    await engine.load(readings, [{"Sensor": n, "Moment": 0} for n in range(600)])
    path = tmp_path / "source.db"
    snapshot = Snapshot(path, open_to_read(path), TABLES)
    first = await snapshot.scan(readings, limit=100)
    await engine.load(readings, [{"Sensor": n, "Moment": 0} for n in range(600, 700)])
    await engine.load(names, [{"Name": "late"}])
    assert len(first.items) == 100
    exported = await write_export(snapshot, TABLES, tmp_path / "export")
    snapshot.close()
    assert exported.tables == {"World": 0, "Readings": 600, "Names": 0}


numbers = st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(
    allow_nan=False, allow_infinity=False
).filter(lambda number: not number or 1e-130 <= abs(number) <= 9.9e125)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4)
    ),
    max_leaves=10,
)


@given(st.lists(st.dictionaries(st.text(min_size=1), values, max_size=5), max_size=20))
def test_any_item_comes_back_from_a_file_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, made: list[Item]
) -> None:
    folder = tmp_path_factory.mktemp("files")
    (folder / DATA).mkdir()
    written = [item | {"Name": str(number)} for number, item in enumerate(made)]
    with DataFileWriter(folder / DATA, DATA, file_bytes=2000) as files:
        files.add(written)
    export = TableExport(names, folder, files.written)
    read = [item for file in files.written for item, _ in items(export, file)]
    assert [typed(item) for item in read] == [typed(item) for item in written]


def typed(value: Any) -> Any:
    """A value in which 1, 1.0 and True differ, as they do when they are stored."""
    match value:
        case dict():
            return {name: typed(one) for name, one in value.items()}
        case list():
            return [typed(one) for one in value]
        case float():
            return (float, value, math.copysign(1, value))
    return (type(value), value)
