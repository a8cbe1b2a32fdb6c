"""The change stream of the data file, and the deletion of what has expired."""

from __future__ import annotations

from typing import Any

import apsw
import msgspec

from commonroom.store.damage import DECODING_ERRORS
from commonroom.store.declare.table import Table
from commonroom.store.embedded.schema import quote
from commonroom.store.embedded.writes import SHARDS, Tables, WriteTransaction
from commonroom.store.engine import ChangeRecord, Changes, Shard, StreamNews
from commonroom.store.errors import DamagedItem
from commonroom.store.values import Item, Key

KEPT_SECONDS = 7 * 24 * 3600.0
"""How long a record waits for a consumer that is away; what all have seen goes at once."""

READ = (
    "SELECT seq, kind, key, old, new, at, by_ttl FROM _changes "
    "WHERE tbl = ? AND shard = ? AND seq > ? ORDER BY seq LIMIT ?"
)

NEWS = "SELECT tbl, shard, max(seq) FROM _changes WHERE seq > ? GROUP BY tbl, shard"

SEEN = "SELECT seq FROM _changes WHERE tbl = ? AND shard = ? AND seq <= ?"
TRIM_RECORDS = 10_000

OLD = "SELECT seq FROM (SELECT seq, at FROM _changes ORDER BY seq LIMIT ?) WHERE at < ?"
NOTE_TRIMMED = f"""
INSERT INTO _trimmed SELECT tbl, shard, max(seq) FROM _changes WHERE seq IN ({OLD})
GROUP BY tbl, shard ON CONFLICT (tbl, shard) DO UPDATE SET seq = max(seq, excluded.seq)
"""
TRIMMED = "SELECT seq FROM _trimmed WHERE tbl = ? AND shard = ?"

_decode = msgspec.msgpack.Decoder(list[Any]).decode
_decode_item = msgspec.msgpack.Decoder(dict[str, Any]).decode


def shards(table: Table) -> list[Shard]:
    """Returns the parts of a table's stream: always the same, without parents."""
    return [Shard(str(number)) for number in range(SHARDS)] if table.stream else []


def changes(
    connection: apsw.Connection, table: Table, shard: str, after: str | None, limit: int
) -> Changes:
    """Records after a position, in the order in which they were written."""
    position = int(after or 0)
    rows = connection.execute(READ, (table.name, int(shard), position, limit)).fetchall()
    records = [_record(table, row) for row in rows]
    trimmed = after is not None and position < _trimmed_up_to(connection, table, shard)
    return Changes(records, records[-1].position if records else after, trimmed=trimmed)


def with_news(connection: apsw.Connection, since: int | None) -> StreamNews:
    """Returns the streams that have records beyond a place in all of them; at first, no stream."""
    if since is None:
        return StreamNews(connection.execute("SELECT max(seq) FROM _changes").get or 0, set())
    found: list[Any] = connection.execute(NEWS, (since,)).fetchall()
    upto = max((seq for _, _, seq in found), default=since)
    return StreamNews(upto, {(table, str(shard)) for table, shard, _ in found})


def _trimmed_up_to(connection: apsw.Connection, table: Table, shard: str) -> int:
    """Returns the last record that was trimmed although a consumer may not have seen it."""
    return connection.execute(TRIMMED, (table.name, int(shard))).get or 0


def _record(table: Table, row: tuple[Any, ...]) -> ChangeRecord:
    seq, kind, key, old, new, at, by_ttl = row
    try:
        return ChangeRecord(
            table.name, str(seq), kind, _decode_key(key), _image(old), _image(new), at, bool(by_ttl)
        )
    except DECODING_ERRORS as error:
        return _damaged_record(table, row, error)


def _damaged_record(table: Table, row: tuple[Any, ...], error: Exception) -> ChangeRecord:
    """Returns a record without its images, for consumers to park."""
    seq, kind, key, _, _, at, by_ttl = row
    try:
        place = _decode_key(key)
    except DECODING_ERRORS:
        place = (str(seq),) * len(table.key)  # nobody's, so that it holds up no other change
    return ChangeRecord(
        table.name, str(seq), kind, place, None, None, at, bool(by_ttl), str(error) or repr(error)
    )


def _decode_key(blob: bytes) -> Key:
    return tuple(_decode(blob))


def _image(blob: bytes | None) -> Item | None:
    return None if blob is None else _decode_item(blob)


def has_records(connection: apsw.Connection, table: Table, shard: str, upto: int) -> bool:
    """Whether there is anything to trim, so that an idle worker writes nothing."""
    return connection.execute(f"{SEEN} LIMIT 1", (table.name, int(shard), upto)).get is not None


def trim(connection: apsw.Connection, table: Table, shard: str, upto: int) -> None:
    """Deletes the oldest records of a shard up to a position."""
    some = f"DELETE FROM _changes WHERE seq IN ({SEEN} ORDER BY seq LIMIT ?)"
    connection.execute(some, (table.name, int(shard), upto, TRIM_RECORDS))


def sweep(connection: apsw.Connection, tables: Tables, now: float, limit: int) -> int:
    """Deletes expired items, each with its stream record, and records that waited too long."""
    transaction = WriteTransaction(connection, tables, now)
    left = limit
    for sql in tables.values():
        if sql.table.ttl is None:
            continue
        select = (
            f"SELECT {sql.all_columns} FROM {sql.name} WHERE {quote(sql.table.ttl)} <= ? LIMIT ?"
        )
        for row in list(connection.execute(select, (now, left))):
            try:
                item = sql.item(row)
            except DamagedItem:
                item = sql.rest_of_item(row)
            transaction.delete(sql, sql.key_in(row), item, by_ttl=True)
            left -= 1
    too_old = (limit, now - KEPT_SECONDS)
    connection.execute(NOTE_TRIMMED, too_old)
    connection.execute(f"DELETE FROM _changes WHERE seq IN ({OLD})", too_old)
    return limit - left
