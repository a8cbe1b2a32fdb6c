"""The same reads and writes by hand: apsw and msgspec, and nothing of ours around them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec

from benchmarks.library import PAGE, Book, Video, media
from commonroom.store import Entity, Table
from commonroom.store.embedded.data_file import connect, transaction
from commonroom.store.embedded.migrations import migrate
from commonroom.store.embedded.schema import TableSql
from commonroom.store.embedded.writes import RECORD, shard_number
from commonroom.store.values import Key

Row: TypeAlias = tuple[object, ...]

QUERY = """
SELECT _item FROM "MediaLibrary"
WHERE "GSI2PK" = ? AND "GSI2SK" IS NOT NULL AND "GSI2SK" >= 'item#' AND "GSI2SK" < 'item$'
ORDER BY "GSI2SK", "PK", "SK" LIMIT ?
"""

sql = TableSql(media)


class BareReads:
    """The engine's own file and settings, on a connection of its own; keys come ready-made."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path, create=False)
        self._one = msgspec.msgpack.Decoder(Book)
        self._several = msgspec.msgpack.Decoder(Book | Video)

    async def get(self, keys: Iterable[Key]) -> Book | None:
        """Each of these books; the last one is given back."""
        execute, decode, select = self._connection.execute, self._one.decode, sql.get
        book = None
        for key in keys:
            book = decode(execute(select, key).get)
        return book

    async def query(self, partitions: Iterable[str]) -> list[Book | Video]:
        """The first page of each of these; the last one is given back."""
        execute, decode = self._connection.execute, self._several.decode
        page: list[Book | Video] = []
        for partition in partitions:
            page = [decode(blob) for (blob,) in execute(QUERY, (partition, PAGE))]
        return page

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()


class BareWrites:
    """An equally indexed table in a file of its own; rows come ready-made."""

    def __init__(self, path: Path, table: Table) -> None:
        self._sql = TableSql(table)
        self._connection = connect(path, "FULL")
        migrate(self._connection, [self._sql])

    def row_of(self, thing: Entity) -> Row:
        """A thing as it is inserted."""
        return self._sql.row(thing.to_item())

    async def insert(self, rows: Iterable[Row]) -> None:
        """Each of these rows in a commit of its own."""
        execute, statement = self._connection.execute, self._sql.upsert
        for row in rows:
            execute(statement, row)

    async def insert_together(self, rows: Iterable[tuple[Row, Row]]) -> None:
        """All of these rows, each with its stream record, in one commit."""
        execute, statement = self._connection.execute, self._sql.upsert
        with transaction(self._connection):
            for row, record in rows:
                execute(statement, row)
                execute(RECORD, record)

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()


def row_of(book: Book) -> Row:
    """A book as it is inserted."""
    return sql.row(book.to_item())


def record_of(thing: Entity) -> Row:
    """The stream record of a new thing."""
    key = thing.ref.key
    images = (None, msgspec.msgpack.encode(thing.to_item()))
    encoded = msgspec.msgpack.encode(key)
    table = thing.schema.table.name
    return (table, shard_number(key[0]), time.time(), "insert", False, encoded, *images)
