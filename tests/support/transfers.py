"""Items of every kind for exports and imports, and ways to read and write whole engines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from commonroom.store.declare.table import Index, Table, number
from commonroom.store.engine import Engine
from commonroom.store.transfer import (
    ExportResult,
    TableExport,
    check_items,
    export,
    load,
    read_export,
)
from commonroom.store.transfer.exporter import Source
from commonroom.store.values import Item
from tests.support.world import world

# Tables that hold any items: of what is declared, an import takes only what decodes.
names = Table("Names", room="tests", partition="Name")
readings = Table(
    "Readings",
    room="tests",
    partition=number("Sensor"),
    sort=number("Moment"),
    stream=True,
    indexes=[Index("ByPlace", "Place")],
)
TABLES = [world, readings, names]

ODD_VALUES: dict[str, Any] = {
    "empty text": "",
    "text": "Zoë’s “naïve” ☕ 🎬 \u0000 \u2028 </script>",
    "largest": 2**63 - 1,
    "smallest": -(2**63) + 1,
    "zero": 0,
    "tenth": 0.1,
    "third": 1 / 3,
    "great": 1.7976931348623e100,
    "little": -2.5e-100,
    "bytes": bytes(range(256)),
    "no bytes": b"",
    "yes": True,
    "no": False,
    "nothing": None,
    "empty list": [],
    "empty map": {},
    "nested": {"list": [1, [2, {"deep": [b"\x00", None, {"x": ""}]}], "three"], "true": True},
}


def ignore(_name: str, _more: int) -> None:
    """Progress that nobody watches."""


async def everything(source: Source, table: Table) -> list[Item]:
    """All items of a table, in the order of their keys."""
    found: list[Item] = []
    start = None
    while True:
        rows = await source.scan(table, limit=100, start=start)
        found += rows.items
        start = rows.next
        if start is None:
            return sorted(found, key=lambda item: [item[one.name] for one in table.key])


async def write_export(source: Source, tables: Sequence[Table], folder: Path) -> ExportResult:
    return await export(source, tables, folder, engine="tests", progress=ignore)


async def load_export(engine: Engine, tables: Sequence[Table], folder: Path) -> dict[str, int]:
    """Import as the command does: all of it is checked before any of it is loaded."""
    return await load(engine, checked(tables, folder), ignore)


def checked(tables: Sequence[Table], folder: Path, *, prefix: str = "") -> list[TableExport]:
    exports = read_export(folder, tables, prefix=prefix)
    for one in exports:
        check_items(one, ignore)
    return exports
