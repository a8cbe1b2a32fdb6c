"""Writes that are committed together share nobody's damage."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw

from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import damaged_files
from commonroom.store.errors import CorruptFile
from tests.support.world import TABLES, Book, Name


def ruin_table(path: Path, name: str) -> None:
    """Overwrites the first page of a table."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).get
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)


async def test_a_damaged_page_fails_only_the_writes_that_need_it(tmp_path: Path) -> None:
    path = tmp_path / "data.db"
    store = Store(EmbeddedEngine(path, TABLES))
    await store.write(put(Book(house_id="h", book_id="b")), put(Name(name="n", holder="ann")))
    await store.close()
    ruin_table(path, "World")
    store = Store(EmbeddedEngine(path, TABLES))
    names = [Name(name=f"n{number}", holder="ann") for number in range(20)]
    books = [Book(house_id="h", book_id=f"b{number}") for number in range(20)]
    mixed = [one for pair in zip(names, books, strict=True) for one in pair]

    ended = await asyncio.gather(*(store.write(put(one)) for one in mixed), return_exceptions=True)

    assert [type(one) for one in ended[1::2]] == [CorruptFile] * 20
    assert ended[::2] == [None] * 20
    assert await store.batch_get([one.ref for one in names]) == names
    assert path in damaged_files
    damaged_files.clear()
    await store.close()
