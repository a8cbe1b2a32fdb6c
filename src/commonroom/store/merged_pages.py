"""Merged pages: several partitions read at once, in one order, with a cursor of one item's size."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec.structs import replace

from commonroom.store.damage import handle_damage
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.engine import Engine, ItemDecoder, Query, SortRange
from commonroom.store.errors import Refused
from commonroom.store.values import Item

T = TypeVar("T")

Position: TypeAlias = tuple[int, Item]
"""The number of a partition, and the key attributes of an item of it."""

WIDEST = 100
"""How many partitions one view may ask at once."""


@dataclass(frozen=True, slots=True)
class MergedPage(Generic[T]):
    """A merged page, and after which partition's item to go on."""

    items: list[T]
    next: Position | None


@dataclass(frozen=True, slots=True)
class _PositionedAnswer(Generic[T]):
    """An answer with its place: its sort key, its partition's number, its key attributes."""

    sort: Any
    partition: int
    key: Item
    value: T


async def merged_page(
    engine: Engine, bound: Sequence[BoundPattern[T]], limit: int, start: Position | None
) -> MergedPage[T]:
    """Returns the first `limit` answers of all partitions after a position.

    Answers with equal sort keys come in the order of their partitions, so that a position is one
    item: partitions before its own have shown all of that sort key, those after it have shown none.
    """
    if not 1 <= len(bound) <= WIDEST:
        raise Refused(f"One to {WIDEST} partitions can be read at once, not {len(bound)}.")
    forward = common_direction(bound)
    queries = _queries(bound, limit, start)
    decoders = [_keyed_decoder(one) for one in bound]
    if engine.name == "embedded":  # it answers at once: a task for each would take longer
        pages = [await engine.query(*one) for one in zip(queries, decoders, strict=True)]
    else:
        pages = await asyncio.gather(*map(engine.query, queries, decoders))
    if damaged := [one for page in pages for one in page.damaged]:
        handle_damage(damaged)
    found = [
        _PositionedAnswer(key[_sort_name(bound[number])], number, key, value)
        for number, page in enumerate(pages)
        for key, value in page.items
    ]
    found.sort(
        key=lambda one: one.sort, reverse=not forward
    )  # stable, so partitions keep their order
    ends = [
        _PositionedAnswer(page.next[_sort_name(bound[number])], number, page.next, None)
        for number, page in enumerate(pages)
        if page.next is not None
    ]
    return _cut(found, ends, limit, forward)


def _cut(
    found: list[_PositionedAnswer[T]],
    ends: list[_PositionedAnswer[None]],
    limit: int,
    forward: bool,
) -> MergedPage[T]:
    """As much of what was found as is sure to be complete: to where the first partition stopped."""
    if not ends:
        shown = found[:limit]
        more = len(found) > limit
        return MergedPage([one.value for one in shown], _position(shown[-1]) if more else None)
    stop = min(ends, key=lambda one: _place(one, forward))
    sure = found[: bisect_right(found, _place(stop, forward), key=lambda one: _place(one, forward))]
    sure = sure[:limit]
    last = _position(sure[-1]) if len(sure) == limit else _position(stop)
    return MergedPage([one.value for one in sure], last)


def _place(one: _PositionedAnswer[Any], forward: bool) -> tuple[Any, int]:
    return (one.sort if forward else _Reversed(one.sort), one.partition)


@total_ordering
@dataclass(frozen=True, slots=True)
class _Reversed:
    """A sort key that compares the other way round."""

    value: Any

    def __lt__(self, other: _Reversed) -> bool:
        return bool(other.value < self.value)


def _position(one: _PositionedAnswer[Any]) -> Position:
    return (one.partition, one.key)


def common_direction(bound: Sequence[BoundPattern[Any]]) -> bool:
    """Whether all go forward, and not back; refused where they cannot be merged."""
    forward = not bound[0].pattern.newest_first
    allowed = (">", ">=") if forward else ("<", "<=")
    kinds = {one.pattern.key[-1].type for one in bound}
    for one in bound:
        pattern = one.pattern
        if len(pattern.key) < 2 or pattern.newest_first is forward or len(kinds) > 1:
            raise Refused(f"“{pattern.name}” cannot be merged: it has another order.")
        if one.sort is not None and one.sort.sign not in allowed:
            raise Refused(f"“{pattern.name}” cannot be merged: its range ends on the far side.")
    return forward


def _queries(bound: Sequence[BoundPattern[Any]], limit: int, start: Position | None) -> list[Query]:
    forward = not bound[0].pattern.newest_first
    queries = [
        Query(one.pattern.table, one.pattern.index, one.partition, one.sort, forward, limit)
        for one in bound
    ]
    if start is None:
        return queries
    partition, key = start
    last = key[_sort_name(bound[partition])]
    return [
        replace(query, start=key)
        if number == partition
        else replace(query, sort=_rest_of_range(query, last, included=number > partition))
        for number, query in enumerate(queries)
    ]


def _rest_of_range(query: Query, last: Any, *, included: bool) -> SortRange:
    """What is left of a partition after a sort key, or its own range where that begins later."""
    sign: Any = (">" if query.forward else "<") + ("=" if included else "")
    own = query.sort
    if own is None:
        return SortRange(sign, last)
    if own.low == last:
        return SortRange(min(sign, own.sign, key=len), last)
    later = own.low > last if query.forward else own.low < last
    return own if later else SortRange(sign, last)


def _sort_name(bound: BoundPattern[Any]) -> str:
    return bound.pattern.key[1].name


def _keyed_decoder(bound: BoundPattern[T]) -> ItemDecoder[tuple[Item, T]]:
    """Each answer with the key attributes that a position needs."""
    pattern = bound.pattern
    names = [one.name for one in (*pattern.key, *pattern.table.key)]

    def keyed(item: Item) -> tuple[Item, T]:
        return {name: item[name] for name in names}, pattern.decoder.from_item(item)

    return replace(pattern.decoder, from_item=keyed, whole=True)
