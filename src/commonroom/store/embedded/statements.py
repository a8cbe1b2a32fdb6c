"""SELECT statements: one for each shape of query, planned once and cached."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct

from commonroom.store.declare.table import Index
from commonroom.store.embedded.schema import TableSql, placeholders, quote
from commonroom.store.engine import Query, SortRange
from commonroom.store.values import KeyValue

LAST_CHARACTER = chr(0x10FFFF)
BEFORE_SURROGATES, AFTER_SURROGATES = chr(0xD7FF), chr(0xE000)


class QueryPlan(Struct, frozen=True):
    """A query's SELECT, and the one that tells where a row stands in the query's order."""

    select: str
    position: str
    order: tuple[str, ...]


@lru_cache(maxsize=4096)
def plan(
    sql: TableSql,
    index: Index | None,
    *,
    bounds: str,
    forward: bool,
    going_on: bool,
    filtered: bool,
    all_columns: bool,
) -> QueryPlan:
    """Returns the statements for one shape of query; values are bound, never written into them."""
    names = sql.order(index)
    partition, *order = map(quote, names)
    where = [f"{partition} = ?"]
    if index is not None and index.sort is not None and index.sort.name not in sql.key:
        where.append(f"{quote(index.sort.name)} IS NOT NULL")
    if bounds:
        where.append(bounds.replace("sort", order[0]))
    if going_on:
        sign = ">" if forward else "<"
        where.append(f"({', '.join(order)}) {sign} ({placeholders(len(order))})" if order else "0")
    source = sql.name if index is None else f"{sql.name} INDEXED BY {quote(sql.index_name(index))}"
    columns = _columns(sql, index, filtered=filtered, all_columns=all_columns)
    ordered = ", ".join(name if forward else f"{name} DESC" for name in order) or "_id"
    return QueryPlan(
        f"SELECT {columns} FROM {source} WHERE {' AND '.join(where)} ORDER BY {ordered} LIMIT ?",
        f"SELECT {', '.join(map(quote, names))} FROM {sql.name} WHERE _id = ?",
        names,
    )


def _columns(sql: TableSql, index: Index | None, *, filtered: bool, all_columns: bool) -> str:
    """The columns of a query's rows: `_id`, `_item`, then what its filter and its shape need."""
    if index is not None and index.keys_only:
        return ", ".join(["_id", "NULL", *map(quote, sql.order(index))])
    columns = ["_id", "_item"]
    if filtered or all_columns:
        kind, ttl = sql.table.discriminator, sql.table.ttl
        columns += [quote(name) if name is not None else "NULL" for name in (kind, ttl)]
    if all_columns:
        columns += map(quote, sql.columns)
    return ", ".join(columns)


def range_condition(sort: SortRange | None) -> tuple[str, tuple[KeyValue, ...]]:
    """Returns a sort condition as SQL on `sort`, and what is bound to it."""
    if sort is None:
        return "", ()
    if sort.sign == "between":
        return "sort BETWEEN ? AND ?", (sort.low, sort.high if sort.high is not None else sort.low)
    if sort.sign == "begins_with":
        end = end_of_prefix(str(sort.low))
        return ("sort >= ? AND sort < ?", (sort.low, end)) if end else ("sort >= ?", (sort.low,))
    return f"sort {sort.sign} ?", (sort.low,)


def end_of_prefix(prefix: str) -> str:
    """The first text after all that begin with a prefix; empty where nothing comes after them."""
    head = prefix.rstrip(LAST_CHARACTER)
    if not head:
        return ""
    last = head[-1]
    following = AFTER_SURROGATES if last == BEFORE_SURROGATES else chr(ord(last) + 1)
    return head[:-1] + following


def bindings(query: Query, order: tuple[str, ...], bounds: tuple[KeyValue, ...]) -> tuple[Any, ...]:
    """Returns what is bound to a query's SELECT."""
    start: tuple[Any, ...] = ()
    if query.start is not None:
        start = tuple(query.start[name] for name in order[1:])
    return (query.partition, *bounds, *start, query.limit + 1)
