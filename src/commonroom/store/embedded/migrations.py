"""Migrations of a data file to what is declared: missing tables, columns and indexes."""

from __future__ import annotations

from collections.abc import Iterable

import apsw
import msgspec

from commonroom.store.embedded.data_file import transaction
from commonroom.store.embedded.disk_space import SIZES
from commonroom.store.embedded.schema import TableSql, quote

CHANGES = """
CREATE TABLE IF NOT EXISTS _changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice, also after the oldest are deleted
    tbl TEXT NOT NULL, shard INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
    by_ttl INTEGER NOT NULL, key BLOB NOT NULL, old BLOB, new BLOB);
CREATE INDEX IF NOT EXISTS "_changes:shard" ON _changes (tbl, shard, seq);
CREATE INDEX IF NOT EXISTS "_changes:at" ON _changes (at);
CREATE TABLE IF NOT EXISTS _trimmed ( -- the last records that were deleted before all had seen them
    tbl TEXT NOT NULL, shard INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tbl, shard));
"""


def missing_tables(connection: apsw.Connection, tables: Iterable[TableSql]) -> list[str]:
    """The declared tables that the file does not have."""
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    return [sql.table.name for sql in tables if sql.table.name not in there]


def migrate(connection: apsw.Connection, tables: Iterable[TableSql]) -> list[str]:
    """Makes what is missing in one transaction, and says which tables are new."""
    tables = list(tables)
    if _is_current(connection, tables):
        return []
    with transaction(connection):
        connection.execute(CHANGES + SIZES)
        created = missing_tables(connection, tables)
        for sql in tables:
            if sql.table.name in created:
                connection.execute(sql.create)
            else:
                _add_columns(connection, sql)
            _make_indexes(connection, sql)
    return created


def _is_current(connection: apsw.Connection, tables: list[TableSql]) -> bool:
    """Whether nothing is to be done, so that an ordinary start waits for no lock."""
    there = dict(connection.execute("SELECT name, sql FROM sqlite_schema"))
    return {"_changes:at", "_sizes", "_trimmed"} <= there.keys() and all(
        sql.table.name in there
        and not _new_columns(connection, sql)
        and all(there.get(name) == text for name, text in sql.create_indexes.items())
        for sql in tables
    )


def _new_columns(connection: apsw.Connection, sql: TableSql) -> list[str]:
    there = {row[1] for row in connection.execute(f"PRAGMA table_info({sql.name})")}
    return [name for name in sql.columns if name not in there]


def _add_columns(connection: apsw.Connection, sql: TableSql) -> None:
    """Adds columns and fills them from the items that have the attribute.

    Key attributes that are no field are not filled here: `commonroom check --repair` derives them.
    """
    added = _new_columns(connection, sql)
    for name in added:
        connection.execute(f"ALTER TABLE {sql.name} ADD COLUMN {quote(name)}")
    if not added:
        return
    sets = ", ".join(f"{quote(name)} = ?" for name in added)
    decode = msgspec.msgpack.Decoder().decode
    for row, blob in connection.execute(f"SELECT _id, _item FROM {sql.name}"):
        item = decode(blob)
        values = [item.get(name) for name in added]
        if any(value is not None for value in values):
            connection.execute(f"UPDATE {sql.name} SET {sets} WHERE _id = ?", (*values, row))


def _make_indexes(connection: apsw.Connection, sql: TableSql) -> None:
    for name, text in sql.create_indexes.items():
        there = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).get
        if there == text:
            continue
        connection.execute(f"DROP INDEX IF EXISTS {quote(name)}")
        connection.execute(text)
