"""The store: typed reading and writing over any engine. This is what rooms use."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from commonroom.store import tally
from commonroom.store.cursors import Cursors
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.patterns import Asked
from commonroom.store.engine import Engine, Query
from commonroom.store.errors import ConditionFailed, Refused
from commonroom.store.limits import BATCH, check_key, check_operations
from commonroom.store.merging import Merged, merged_page
from commonroom.store.operations import Write
from commonroom.store.values import Item, Key, KeyValue

T = TypeVar("T")
E = TypeVar("E", bound=Entity)

PAGE = 50
LONGEST_PAGE = 1000


class Page(Struct, Generic[T], frozen=True):
    """Part of a list, and a cursor where there may be more. A page can be short and not the last."""

    items: list[T]
    cursor: str | None


class Store:
    """One data layer over one engine."""

    def __init__(self, engine: Engine, *, cursor_key: bytes | None = None) -> None:
        self.engine = engine
        self._cursors = Cursors(cursor_key or Cursors.new_key())

    async def get(self, what: Ref[E] | Asked[E]) -> E | None:
        """One thing by its primary key, as it was last written."""
        _count_read()
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
            _count_read()
            for ref in some:
                check_key(ref.entity.declared.table, ref.key)
            wanted = [(ref.entity.declared.table, ref.key) for ref in some]
            items = await self.engine.batch_get(wanted)
            found += [_typed(ref, item) for ref, item in zip(some, items, strict=True)]
        return found

    async def page(
        self, asked: Asked[T], *, limit: int = PAGE, cursor: str | None = None
    ) -> Page[T]:
        """A page of an access pattern: one request."""
        _check_limit(limit)
        pattern = asked.pattern
        bound = (pattern.table.name, pattern.name, asked.partition, _range(asked))
        start = self._cursors.open(cursor, bound) if cursor is not None else None
        query = Query(
            pattern.table,
            pattern.index,
            asked.partition,
            asked.sort,
            not pattern.newest_first,
            limit,
            start,
        )
        _count_read()
        rows = await self.engine.query(query, pattern.shape)
        following = None if rows.next is None else self._cursors.seal(rows.next, bound)
        return Page(rows.items, following)

    async def first(self, asked: Asked[T]) -> T | None:
        """The first answer, if there is any: one request."""
        page = await self.page(asked, limit=1)
        return page.items[0] if page.items else None

    async def all(self, asked: Asked[T], *, limit: int = LONGEST_PAGE) -> AsyncIterator[T]:
        """Every answer, page after page; for consumers and checks rather than for views."""
        cursor = None
        while True:
            page = await self.page(asked, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.cursor
            if cursor is None:
                return

    async def merged(
        self, asked: Sequence[Asked[T]], *, limit: int = PAGE, cursor: str | None = None
    ) -> Page[T]:
        """A page of several partitions in one order: one request for each, at the same time."""
        _check_limit(limit)
        bound = [(one.pattern.name, one.partition, _range(one)) for one in asked]
        start = self._cursors.open(cursor, bound) if cursor is not None else None
        for _ in asked:
            _count_read()
        page: Merged[T] = await merged_page(self.engine, asked, limit, start)
        following = None if page.next is None else self._cursors.seal(page.next, bound)
        return Page(page.items, following)

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


def _count_read() -> None:
    if (count := tally.current.get()) is not None:
        count.reads += 1


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LONGEST_PAGE:
        raise Refused(f"A page holds 1 to {LONGEST_PAGE} things, not {limit}.")


def _primary(asked: Asked[Any]) -> Key:
    if not asked.pattern.one:
        raise Refused(f"“{asked.pattern.name}” gives a page, not one thing.")
    return (asked.partition,) if asked.sort is None else (asked.partition, asked.sort.low)


def _range(asked: Asked[Any]) -> tuple[str, KeyValue, KeyValue | None] | None:
    return None if asked.sort is None else (asked.sort.sign, asked.sort.low, asked.sort.high)


def _typed(ref: Ref[E], item: Item | None) -> E | None:
    """The thing, unless it is of another kind than was asked for."""
    declared = ref.entity.declared
    kind = declared.table.discriminator
    if item is None or (kind is not None and item.get(kind) != declared.kind):
        return None
    return ref.entity.from_item(item)
