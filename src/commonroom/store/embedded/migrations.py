"""Migrations of a data file to what is declared: missing tables, columns and indexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import apsw
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.store.declare.fingerprint import Fingerprint
from commonroom.store.embedded.data_file import format_of, transaction
from commonroom.store.embedded.disk_space import SIZES
from commonroom.store.embedded.schema import TableSql, quote
from commonroom.store.errors import Unavailable
from commonroom.store.upgrades.states import (
    Baseline,
    is_same,
    new_state,
    next_state,
    unrecorded_state,
)
from commonroom.store.upgrades.tables import TableState, upgrades

STATES = TableSql(upgrades)

_decode = msgspec.msgpack.Decoder().decode
_encode = msgspec.msgpack.Encoder().encode

CHANGES = """
CREATE TABLE IF NOT EXISTS _changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice, also after the oldest are deleted
    tbl TEXT NOT NULL, shard INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
    by_ttl INTEGER NOT NULL, key BLOB NOT NULL, old BLOB, new BLOB);
CREATE INDEX IF NOT EXISTS "_changes:shard" ON _changes (tbl, shard, seq);
DROP INDEX IF EXISTS "_changes:at"; -- of before: records are written in the order of time
CREATE TABLE IF NOT EXISTS _trimmed ( -- the last records that were deleted before all had seen them
    tbl TEXT NOT NULL, shard INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tbl, shard));
"""


def missing_tables(connection: apsw.Connection, tables: Iterable[TableSql]) -> list[str]:
    """Returns the declared tables that the file does not have."""
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    return [sql.table.name for sql in tables if sql.table.name not in there]


class Migration(Struct, frozen=True):
    """What opening a file came to."""

    created: list[str]
    """Tables that were not there."""
    states: dict[str, TableState]
    """Of every declared table."""


def migrate(
    connection: apsw.Connection, tables: Sequence[TableSql], baseline: Baseline | None = None
) -> Migration:
    """Makes every additive change in one transaction, or refuses the file and changes nothing.

    Keys that items do not have yet are not computed here: the tables' states say so.
    """
    states = read_states(connection)
    if is_current(connection, tables, states):
        return Migration([], states)
    with transaction(connection):
        connection.execute(CHANGES + SIZES)
        connection.pragma("user_version", format_of(connection))
        created = missing_tables(connection, tables)
        if missing_tables(connection, [STATES]):
            connection.execute(STATES.create)
        states = read_states(connection)
        for sql in tables:
            before = states.get(sql.table.name)
            after = _migrate_table(
                connection, sql, before, baseline or {}, is_new=sql.table.name in created
            )
            if before is None or not is_same(before, after):
                # Raised, so that a process which is filling keys for another declaration notices.
                after = replace(after, version=0 if before is None else before.version + 1)
                connection.execute(STATES.upsert, STATES.row(after.to_item()))
            states[sql.table.name] = after
    return Migration(created, states)


def read_states(connection: apsw.Connection) -> dict[str, TableState]:
    """Returns the state of every table that this file has ever been opened with."""
    if missing_tables(connection, [STATES]):
        return {}
    rows = connection.execute(f"SELECT {STATES.all_columns} FROM {STATES.name}")
    states = [TableState.from_item(STATES.item(row)) for row in rows]
    return {state.name: state for state in states}


def check_states(connection: apsw.Connection, tables: Iterable[TableSql]) -> None:
    """Refuses a file that another process has upgraded, or replaced, since it was opened."""
    states = read_states(connection)
    for sql in tables:
        state = states.get(sql.table.name)
        if state is None or not is_same(next_state(state, sql.table), state):
            raise Unavailable("The data is of another version now; restart Commonroom.")


def is_current(
    connection: apsw.Connection, tables: Iterable[TableSql], states: Mapping[str, TableState]
) -> bool:
    """Whether nothing is to be done, so that an ordinary start waits for no lock."""
    there = dict(connection.execute("SELECT name, sql FROM sqlite_schema"))
    return (
        connection.pragma("user_version") == format_of(connection)
        and {"_changes:shard", "_sizes", "_trimmed"} <= there.keys()
        and "_changes:at" not in there
        and all(
            sql.table.name in there
            and not _new_columns(connection, sql)
            and _indexes_of(sql, there) == sql.create_indexes
            and sql.table.name in states
            and is_same(next_state(states[sql.table.name], sql.table), states[sql.table.name])
            for sql in tables
        )
    )


def _migrate_table(
    connection: apsw.Connection,
    sql: TableSql,
    before: TableState | None,
    baseline: Baseline,
    *,
    is_new: bool,
) -> TableState:
    """Makes what one table lacks, and returns its new state."""
    if is_new:
        if sql.table is not upgrades:  # made before it was read
            connection.execute(sql.create)
        after = new_state(sql.table)
    else:
        before = before or _unrecorded(connection, sql, baseline)
        after = next_state(before, sql.table)
        _migrate_rows(connection, sql, before.current)
    if after.target is not None and after.position is None:
        total = connection.execute(f"SELECT count(*) FROM {sql.name}").get
        after = replace(after, total=total)
    _make_indexes(connection, sql)
    return after


def _unrecorded(connection: apsw.Connection, sql: TableSql, baseline: Baseline) -> TableState:
    return unrecorded_state(sql.table, baseline, missing=_new_columns(connection, sql))


def _new_columns(connection: apsw.Connection, sql: TableSql) -> list[str]:
    there = {row[1] for row in connection.execute(f"PRAGMA table_info({sql.name})")}
    return [name for name in sql.columns if name not in there]


def _migrate_rows(connection: apsw.Connection, sql: TableSql, before: Fingerprint) -> None:
    """Adds columns, and takes into every column of a field what the items have.

    A column may be there and hold what was true when it was last declared. An attribute that was
    derived and is a field now moves into the item, and the other way round.
    """
    missing = _new_columns(connection, sql)
    for name in missing:
        connection.execute(f"ALTER TABLE {sql.name} ADD COLUMN {quote(name)}")
    added = [name for name in sql.columns if name in missing or name not in before.columns]
    into = [name for name in before.outside if name in sql.columns and name not in sql.outside]
    out_of = [name for name in sql.outside if name in before.columns and name not in before.outside]
    changed = list(dict.fromkeys([*added, *into, *out_of]))
    if not changed:
        return
    listed = ", ".join(map(quote, changed))
    sets = ", ".join(f"{quote(name)} = ?" for name in changed)
    for row, blob, *found in connection.execute(f"SELECT _id, _item, {listed} FROM {sql.name}"):
        item = _decode(blob)
        stored = dict(zip(changed, found, strict=True))
        for name in into:
            if stored[name] is not None:
                item.setdefault(name, stored[name])
        values = [item.get(name) for name in changed]
        for name in out_of:
            item.pop(name, None)
        if values != found or into or out_of:
            update = f"UPDATE {sql.name} SET _item = ?, {sets} WHERE _id = ?"
            connection.execute(update, (_encode(item), *values, row))


def _make_indexes(connection: apsw.Connection, sql: TableSql) -> None:
    """Makes indexes that are missing or otherwise; drops those that are no longer declared."""
    there = _indexes_of(sql, dict(connection.execute("SELECT name, sql FROM sqlite_schema")))
    for name, text in there.items():
        if sql.create_indexes.get(name) != text:
            connection.execute(f"DROP INDEX {quote(name)}")
    for name, text in sql.create_indexes.items():
        if there.get(name) != text:
            connection.execute(text)


def _indexes_of(sql: TableSql, schema: Mapping[str, str]) -> dict[str, str]:
    """Returns the indexes of a table that the file has."""
    return {name: text for name, text in schema.items() if name.startswith(f"{sql.table.name}:")}
