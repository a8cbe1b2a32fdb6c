"""The store: typed reading and writing over any engine. This is what rooms use."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from msgspec import Struct

from commonroom.store import tally
from commonroom.store.cursors import Cursors
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.engine import Engine, Query, Rows
from commonroom.store.errors import ConditionFailed, Refused
from commonroom.store.limits import BATCH, check_key, check_operations, check_query
from commonroom.store.merging import merged_page
from commonroom.store.operations import Write
from commonroom.store.values import Item, Key

T = TypeVar("T")
E = TypeVar("E", bound=Entity)

PAGE = 50
LONGEST_PAGE = 1000


class Page(Struct, Generic[T], frozen=True):
    """Part of a list. It can be short and yet not the last: only a missing cursor says so."""

    items: list[T]
    seal: Callable[[], str] | None

    @property
    def cursor(self) -> str | None:
        """Where to go on; None after the last page. Sealed only when asked for."""
        return None if self.seal is None else self.seal()


class Store:
    """One data layer over one engine."""

    def __init__(self, engine: Engine, *, cursor_key: bytes | None = None) -> None:
        self.engine = engine
        self._cursors = Cursors(cursor_key or Cursors.new_key())

    async def get(self, what: Ref[E] | BoundPattern[E]) -> E | None:
        """One thing by its primary key, as it was last written."""
        _count_reads(1)
        if isinstance(what, Ref):
            table = what.entity.declared.table
            check_key(table, what.key)
            return await self.engine.get(table, what.key, what.entity.shape)
        key = _primary(what)
        check_key(what.pattern.table, key)
        found: E | None = await self.engine.get(what.pattern.table, key, what.pattern.shape)
        return found

    async def batch_get(self, refs: Sequence[Ref[E]]) -> list[E | None]:
        """Many things at once, in the order asked; one request for every hundred."""
        found: list[E | None] = []
        for start in range(0, len(refs), BATCH):
            some = refs[start : start + BATCH]
            _count_reads(1)
            for ref in some:
                check_key(ref.entity.declared.table, ref.key)
            wanted = [(ref.entity.declared.table, ref.key) for ref in some]
            items = await self.engine.batch_get(wanted)
            found += [_typed(ref, item) for ref, item in zip(some, items, strict=True)]
        return found

    async def page(
        self, asked: BoundPattern[T], *, limit: int = PAGE, cursor: str | None = None
    ) -> Page[T]:
        """A page of an access pattern: one request."""
        start = None if cursor is None else self._cursors.open(cursor, _binding(asked))
        rows = await self._rows(asked, limit, start)
        if rows.next is None:
            return Page(rows.items, None)
        return Page(rows.items, partial(self._seal, rows.next, asked))

    async def first(self, asked: BoundPattern[T]) -> T | None:
        """The first answer, if there is any: one request, or more where others must be skipped."""
        rows = await self._rows(asked, 1, None)
        while not rows.items and rows.next is not None:
            rows = await self._rows(asked, PAGE, rows.next)
        return rows.items[0] if rows.items else None

    async def all(self, asked: BoundPattern[T], *, limit: int = LONGEST_PAGE) -> AsyncIterator[T]:
        """Every answer, page after page; for consumers and checks rather than for views."""
        start = None
        while True:
            rows = await self._rows(asked, limit, start)
            for item in rows.items:
                yield item
            start = rows.next
            if start is None:
                return

    async def merged(
        self, asked: Sequence[BoundPattern[T]], *, limit: int = PAGE, cursor: str | None = None
    ) -> Page[T]:
        """A page of several partitions in one order: one request for each, at the same time."""
        _check_limit(limit)
        binding = [_binding(one) for one in asked]
        start = None if cursor is None else self._cursors.open(cursor, binding)
        _count_reads(len(asked))
        for one in asked:
            _check(one)
        page = await merged_page(self.engine, asked, limit, start)
        if page.next is None:
            return Page(page.items, None)
        return Page(page.items, partial(self._cursors.seal, page.next, binding))

    async def write(self, *writes: Write) -> None:
        """All of these or none; up to a hundred, of any tables."""
        operations = [write.operation for write in writes]
        check_operations(operations)
        if (count := tally.current.get()) is not None:
            count.writes += 1
        try:
            await self.engine.write(operations)
        except ConditionFailed as failed:
            failed.operation = writes[failed.index]
            raise

    async def close(self) -> None:
        """Lets go of the engine."""
        await self.engine.close()

    async def _rows(self, asked: BoundPattern[T], limit: int, start: Item | None) -> Rows[T]:
        _check_limit(limit)
        _count_reads(1)
        pattern = asked.pattern
        _check(asked)
        query = Query(
            pattern.table,
            pattern.index,
            asked.partition,
            asked.sort,
            not pattern.newest_first,
            limit,
            start,
        )
        return await self.engine.query(query, pattern.shape)

    def _seal(self, position: Item, asked: BoundPattern[T]) -> str:
        return self._cursors.seal(position, _binding(asked))


def _check(asked: BoundPattern[Any]) -> None:
    low, high = (None, None) if asked.sort is None else (asked.sort.low, asked.sort.high)
    check_query(asked.pattern.table, asked.pattern.key, asked.partition, low, high)


def _count_reads(number: int) -> None:
    if (count := tally.current.get()) is not None:
        count.reads += number


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LONGEST_PAGE:
        raise Refused(f"A page holds 1 to {LONGEST_PAGE} things, not {limit}.")


def _primary(asked: BoundPattern[Any]) -> Key:
    if not asked.pattern.one:
        raise Refused(f"“{asked.pattern.name}” gives a page, not one thing.")
    return (asked.partition,) if asked.sort is None else (asked.partition, asked.sort.low)


def _binding(asked: BoundPattern[Any]) -> Any:
    """What a cursor is good for: this question, with these parameters."""
    sort = asked.sort
    limits = None if sort is None else (sort.sign, sort.low, sort.high)
    return (asked.pattern.table.name, asked.pattern.name, asked.partition, limits)


def _typed(ref: Ref[E], item: Item | None) -> E | None:
    """The thing, unless it is of another kind than was asked for."""
    declared = ref.entity.declared
    kind = declared.table.discriminator
    if item is None or (kind is not None and item.get(kind) != declared.kind):
        return None
    return ref.entity.from_item(item)
