"""Reads from the data file: items by key, pages, changes, scans and snapshots."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import apsw
import msgspec

from commonroom.store.damage import DECODING_ERRORS, decode_items, handle_damage
from commonroom.store.declare.table import Index, Table
from commonroom.store.embedded import streams
from commonroom.store.embedded.data_file import file_error
from commonroom.store.embedded.schema import TableSql
from commonroom.store.embedded.statements import QueryPlan, bindings, plan, range_condition
from commonroom.store.embedded.writes import Tables
from commonroom.store.engine import Changes, Clock, ItemDecoder, Query, Rows, StreamNews, Wanted
from commonroom.store.errors import DamagedItem
from commonroom.store.values import Item, Key

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")

_decode_item = msgspec.msgpack.Decoder(dict[str, Any]).decode


def with_file_errors(
    read: Callable[Concatenate[Reader, P], R],
) -> Callable[Concatenate[Reader, P], R]:
    """Lets a read raise the store's errors where SQLite raises its own."""

    @wraps(read)
    def reading(self: Reader, /, *arguments: P.args, **named: P.kwargs) -> R:
        try:
            return read(self, *arguments, **named)
        except apsw.Error as error:
            raise file_error(self.path, error) from error
        except UnicodeDecodeError as error:  # by apsw, of a text that stands in a column
            raise file_error(self.path, apsw.CorruptError(str(error))) from error

    return reading


class Reader:
    """A connection that only reads; each read sees everything that was acknowledged before it.

    It reads in the event loop's own thread: a hop to another would cost far more than the read.
    """

    def __init__(
        self, path: Path, connection: apsw.Connection, tables: Tables, clock: Clock
    ) -> None:
        self.path = path
        self._connection = connection
        self._execute = connection.execute
        self._moment = _Moment(connection)
        self._tables = tables
        self._clock = clock

    def get(self, table: Table, key: Key, decoder: ItemDecoder[T]) -> T | None:
        """Returns one thing by key."""
        bindings = key if table.ttl is None else (*key, self._clock())
        try:
            blob = self._execute(self._tables[table.name].get, bindings).get
        except apsw.Error as error:
            raise file_error(self.path, error) from error
        try:
            return None if blob is None else decoder.from_blob(blob)
        except DECODING_ERRORS:
            if _is_of_other_kind(table, blob, decoder):
                return None
            return self._decode_row(table, key, decoder)

    def _decode_row(self, table: Table, key: Key, decoder: ItemDecoder[T]) -> T | None:
        """One thing whose blob does not decode by itself: its key may tell what it lacks."""
        sql = self._tables[table.name]
        for row in self._execute(sql.get_row, key):
            decoded, damaged = decode_items(table, decoder.from_item, [sql.item(row)])
            if damaged:
                raise damaged[0]
            return decoded[0]
        return None

    def _get_item(self, table: Table, key: Key) -> Item | None:
        """Returns one item with all its attributes."""
        sql = self._tables[table.name]
        row = next(self._execute(sql.get_row, key), None)
        try:
            item = None if row is None else sql.item(row)
        except DamagedItem as damaged:
            handle_damage([damaged])
            return None
        return None if item is None or table.is_expired(item, self._clock()) else item

    @with_file_errors
    def batch(self, wanted: Sequence[tuple[Table, Key]]) -> list[Item | None]:
        """Several items of one moment."""
        with self._moment:
            return [self._get_item(table, key) for table, key in wanted]

    @with_file_errors
    def batch_decoded(self, wanted: Sequence[Wanted]) -> list[Any]:
        """Several things of one moment."""
        found: list[Any] = []
        with self._moment:
            for table, key, decoder in wanted:
                try:
                    found.append(self.get(table, key, decoder))
                except DamagedItem as damaged:
                    handle_damage([damaged])
                    found.append(None)
        return found

    def change_number(self) -> int:
        """Returns a number that changes as soon as a read would see another connection's commit."""
        # It is a matter of the connection: on the one that reads and never writes, it changes
        # exactly when what reads see does.
        try:
            number: int = self._execute("PRAGMA data_version").get
        except apsw.Error as error:
            raise file_error(self.path, error) from error
        return number

    @with_file_errors
    def streams_with_news(self, since: int | None) -> StreamNews:
        """Which streams have records beyond a place in all of them."""
        return streams.with_news(self._connection, since)

    @with_file_errors
    def changes(self, table: Table, shard: str, after: str | None, limit: int) -> Changes:
        """Records of a shard after a position."""
        return streams.changes(self._connection, table, shard, after, limit)

    @with_file_errors
    def query(self, query: Query, decoder: ItemDecoder[T]) -> Rows[T]:
        """One page of a partition."""
        table, index = query.table, query.index
        sql = self._tables[table.name]
        keys_only = index is not None and index.keys_only
        kinds = (
            decoder.kinds if decoder.kinds and len(decoder.kinds) < len(table.entities) else None
        )
        filtered = not keys_only and (kinds is not None or table.ttl is not None)
        bounds, values = range_condition(query.sort)
        planned = plan(
            sql,
            index,
            bounds=bounds,
            forward=query.forward,
            going_on=query.start is not None,
            filtered=filtered,
            all_columns=decoder.whole,
        )
        cursor = self._execute(planned.select, bindings(query, planned.order, values))
        try:
            examined = list(islice(cursor, query.limit + 1))
            matching = self._filter_rows(examined, kinds) if filtered else examined
            last = _last(examined, matching, query.limit)
            # The cursor is not at its end yet, so this reads the same moment as the rows above.
            following = None if last is None else self._position(planned, last)
        finally:
            # An open one, kept alive by a traceback, would show every later read this moment.
            cursor.close()
        rows = matching[: query.limit]
        try:
            return Rows(_decode_rows(sql, index, rows, decoder), following)
        except (DamagedItem, *DECODING_ERRORS):
            return self._decode_each(sql, index, [row[0] for row in rows], decoder, following)

    def _decode_each(
        self,
        sql: TableSql,
        index: Index | None,
        ids: Sequence[int],
        decoder: ItemDecoder[T],
        following: Item | None,
    ) -> Rows[T]:
        """Returns a page item by item: one that is damaged spoils no other."""
        items: list[Item] = []
        damaged: list[DamagedItem] = []
        select = f"SELECT {sql.all_columns} FROM {sql.name} WHERE _id = ?"
        names = sql.order(index) if index is not None and index.keys_only else None
        for row in [row for one in ids for row in self._execute(select, (one,))]:
            try:
                item = sql.rest_of_item(row) if names else sql.item(row)
            except DamagedItem as error:
                damaged.append(error)
            else:
                items.append({name: item[name] for name in names} if names else item)
        decoded, wrong = decode_items(sql.table, decoder.from_item, items)
        return Rows(decoded, following, damaged + wrong)

    @with_file_errors
    def scan(self, table: Table, limit: int, start: Item | None) -> Rows[Item]:
        """One page of everything, in the order of the rows."""
        sql = self._tables[table.name]
        after = 0 if start is None else int(start["_id"])
        select = f"SELECT _id, {sql.all_columns} FROM {sql.name} WHERE _id > ? ORDER BY _id LIMIT ?"
        rows = list(self._execute(select, (after, limit)))
        now = self._clock()
        items: list[Item] = []
        damaged: list[DamagedItem] = []
        for row in rows:
            try:
                item = sql.item(row[1:])
            except DamagedItem as error:
                damaged.append(error)
            else:
                if not table.is_expired(item, now):
                    items.append(item)
        return Rows(items, {"_id": rows[-1][0]} if len(rows) == limit else None, damaged)

    def _filter_rows(self, rows: list[Any], kinds: frozenset[str] | None) -> list[Any]:
        now = self._clock()
        return [
            row
            for row in rows
            if (kinds is None or row[2] in kinds) and (row[3] is None or row[3] > now)
        ]

    def _position(self, planned: QueryPlan, row: int) -> Item:
        [values] = self._execute(planned.position, (row,)).fetchall()
        return dict(zip(planned.order, values, strict=True))


def _last(examined: list[Any], matching: list[Any], limit: int) -> int | None:
    """Returns the row to go on after: the last of a full page, or of all that was looked at."""
    if len(matching) > limit:
        return int(matching[limit - 1][0])
    return int(examined[-1][0]) if len(examined) > limit else None


def _decode_rows(
    sql: TableSql, index: Index | None, rows: list[Any], decoder: ItemDecoder[T]
) -> list[T]:
    if index is not None and index.keys_only:
        names = sql.order(index)
        return [decoder.from_item(dict(zip(names, row[2:], strict=True))) for row in rows]
    decode = decoder.from_blob
    if decoder.whole:
        return [decoder.from_item(sql.item((*row[4:], row[1]))) for row in rows]
    return [decode(row[1]) for row in rows]


def _is_of_other_kind(table: Table, blob: bytes, decoder: ItemDecoder[Any]) -> bool:
    """Whether an item does not decode because it is something else than what was asked for."""
    if table.discriminator is None:
        return False
    try:
        kind = _decode_item(blob).get(table.discriminator)
    except DECODING_ERRORS:
        return False
    return kind not in (decoder.kinds or ())


class _Moment:
    """A transaction in which several reads see the same; SQLite ends it by itself at damage."""

    __slots__ = ("_connection",)

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN")

    def __exit__(self, *_error: object) -> None:
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")


class Snapshot:
    """A reader whose every page is of the same moment; the file must have all the tables."""

    def __init__(
        self,
        path: Path,
        connection: apsw.Connection,
        tables: Sequence[Table],
        clock: Clock = time.time,
    ) -> None:
        self._connection = connection
        self._connection.execute("BEGIN")
        self._reader = Reader(
            path, self._connection, Tables({table.name: TableSql(table) for table in tables}), clock
        )
        # SQLite fixes the moment at the first read, not at BEGIN.
        _ = self._connection.execute("SELECT count(*) FROM sqlite_schema").get

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """Returns one page of everything."""
        return self._reader.scan(table, limit, start)

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()
