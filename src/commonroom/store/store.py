"""The store: typed reading and writing over any engine. This is what rooms use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar, overload

from msgspec import Struct

from commonroom.store.batched_reads import BatchedReads, current_batch
from commonroom.store.completion_marks import current_mark
from commonroom.store.cursors import Cursors
from commonroom.store.damage import handle_damage
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.engine import Engine, Query, Rows
from commonroom.store.errors import ConditionFailed, Refused, Unavailable
from commonroom.store.limits import (
    BATCH,
    REQUEST_OPERATIONS,
    check_key,
    check_operations,
    check_query,
)
from commonroom.store.merged_pages import common_direction, merged_page
from commonroom.store.operations import Write, delete
from commonroom.store.own_writes import OwnWrites
from commonroom.store.related_writes import joined, refusal_of
from commonroom.store.values import Item, Key

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E", bound=Entity)

Read: TypeAlias = Coroutine[Any, Any, A]

PAGE = 50
MAX_PAGE = 1000


@dataclass(slots=True)
class RequestCount:
    """How many requests were made to the engine: reads (a page or a batch is one) and writes."""

    reads: int = 0
    writes: int = 0

    @property
    def requests(self) -> int:
        """All of them."""
        return self.reads + self.writes


current_count: ContextVar[RequestCount | None] = ContextVar("request_count", default=None)


@contextmanager
def counting() -> Iterator[RequestCount]:
    """Counts the store requests of whatever runs inside, tasks that it starts included."""
    count = RequestCount()
    token = current_count.set(count)
    try:
        yield count
    finally:
        current_count.reset(token)


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
        self.own_writes = OwnWrites()
        self.write_trouble: Unavailable | None = None
        """Why the last write could not be made; None where it could."""
        self.identity: str | None = None
        """The store's id, once `identify` has read it."""
        self._cursors = Cursors(cursor_key or Cursors.new_key())

    async def get(self, what: Ref[E] | BoundPattern[E]) -> E | None:
        """One thing by its primary key, as it was last written; `DamagedItem` if it is damaged."""
        _count_reads(1)
        if isinstance(what, Ref):
            table = what.entity.schema.table
            check_key(table, what.key)
            return await self.engine.get(table, what.key, what.entity.decoder)
        key = _primary(what)
        check_key(what.pattern.table, key)
        found: E | None = await self.engine.get(what.pattern.table, key, what.pattern.decoder)
        return found

    async def batch_get(self, refs: Sequence[Ref[E]]) -> list[E | None]:
        """Many things at once, in the order asked; one request for every hundred.

        Inside `gather_batched`, one request with what the others want by key.
        """
        for ref in refs:
            check_key(ref.entity.schema.table, ref.key)
        batch = current_batch.get()
        if batch is None or not refs:
            return await self._batch_get(refs)
        return await batch.batch_get(refs)

    async def page(
        self, bound: BoundPattern[T], *, limit: int = PAGE, cursor: str | None = None
    ) -> Page[T]:
        """Returns a page of an access pattern: one request."""
        start = None if cursor is None else self._cursors.open(cursor, _binding(bound))
        rows = await self._rows(bound, limit, start)
        if rows.next is None:
            return Page(rows.items, None)
        return Page(rows.items, partial(self._seal, rows.next, bound))

    async def page_and_next(
        self, bound: BoundPattern[E], *, limit: int = PAGE, cursor: str | None = None
    ) -> tuple[Page[E], E | None]:
        """Returns a page, and what the next one begins with: one request.

        None after the last page, and where a database gave less than was asked for.
        """
        start = None if cursor is None else self._cursors.open(cursor, _binding(bound))
        rows = await self._rows(bound, limit + 1, start)
        items, following = rows.items[:limit], next(iter(rows.items[limit:]), None)
        position = rows.next if following is None else _position(bound, items[-1])
        seal = None if position is None else partial(self._seal, position, bound)
        return Page(items, seal), following

    async def first(self, bound: BoundPattern[T]) -> T | None:
        """The first answer, if there is any: one request, or more where others must be skipped."""
        rows = await self._rows(bound, 1, None)
        while not rows.items and rows.next is not None:
            rows = await self._rows(bound, PAGE, rows.next)
        return rows.items[0] if rows.items else None

    async def all(self, bound: BoundPattern[T], *, limit: int = MAX_PAGE) -> AsyncIterator[T]:
        """Every answer, one after the other; for consumers and checks rather than for views."""
        async for items in self.pages(bound, limit=limit):
            for item in items:
                yield item

    async def pages(
        self, bound: BoundPattern[T], *, limit: int = MAX_PAGE
    ) -> AsyncIterator[list[T]]:
        """Yields every answer, page after page."""
        start = None
        while True:
            rows = await self._rows(bound, limit, start)
            yield rows.items
            start = rows.next
            if start is None:
                return
            # The embedded engine answers at once; between two pages others have their turn.
            await asyncio.sleep(0)

    async def merged(
        self, bound: Sequence[BoundPattern[T]], *, limit: int = PAGE, cursor: str | None = None
    ) -> Page[T]:
        """A page of several partitions in one order: one request for each, at the same time."""
        if len(bound) == 1:
            common_direction(bound)
            return await self.page(bound[0], limit=limit, cursor=cursor)
        _check_limit(limit)
        binding = [_binding(one) for one in bound]
        start = None if cursor is None else self._cursors.open(cursor, binding)
        _count_reads(len(bound))
        for one in bound:
            _check(one)
        page = await merged_page(self.engine, bound, limit, start)
        if page.next is None:
            return Page(page.items, None)
        return Page(page.items, partial(self._cursors.seal, page.next, binding))

    @overload
    async def gather(self, a: Read[A], b: Read[B], /) -> tuple[A, B]: ...
    @overload
    async def gather(self, a: Read[A], b: Read[B], c: Read[C], /) -> tuple[A, B, C]: ...
    @overload
    async def gather(
        self, a: Read[A], b: Read[B], c: Read[C], d: Read[D], /
    ) -> tuple[A, B, C, D]: ...
    async def gather(self, /, *reads: Read[Any]) -> tuple[Any, ...]:
        """Returns what several reads give, made at the same time where that is quicker.

        The embedded engine answers at once, so there they come in a row: a task for each would take
        longer than the reads.
        """
        if self.engine.name != "embedded":
            batch = current_batch.get()
            gather = asyncio.gather if batch is None else batch.gather
            return tuple(await gather(*reads))
        found, waiting = [], list(reversed(reads))
        try:
            while waiting:
                found.append(await waiting.pop())
        finally:
            for read in waiting:  # one before them failed
                read.close()
        return tuple(found)

    async def gather_all(self, reads: Iterable[Read[A]]) -> list[A]:
        """Gathers any number of reads of the same type."""
        gather: Callable[..., Read[tuple[A, ...]]] = self.gather
        return list(await gather(*reads))

    async def gather_batched(self, reads: Iterable[Read[A]]) -> list[A]:
        """Returns what several reads return, with fewer requests: by key they read together.

        A batch is sent whenever all of them wait for one. So this takes their queries, and as many
        batches as the one that has the most of them in a row. The embedded engine has no use for
        it: there they come in a row.
        """
        if self.engine.name == "embedded" or current_batch.get() is not None:
            return await self.gather_all(reads)
        batch = BatchedReads(self._batch_get)
        token = current_batch.set(batch)
        try:
            return await batch.gather(*reads)
        finally:
            current_batch.reset(token)

    async def write(self, *writes: Write) -> None:
        """All of these or none; up to a hundred, of any tables.

        Up to 99 in a request that is marked when it is done: the mark goes along. What relations
        count is added here, once for each item; where there is no room, the relation refuses.
        """
        writes = tuple(joined(writes))
        mark = current_mark.get()
        if mark is None or mark.is_settled:
            await self._write(writes)
        else:
            await mark.write_with(self._write, writes)

    def seal_position(self, position: Any, query: Any) -> str:
        """A cursor of a list that is put together from several patterns; for `open_position`.

        It is always spelt alike, so that a list that has not changed keeps its ETag.
        """
        return self._cursors.seal_position(position, query)

    def open_position(self, cursor: str, query: Any) -> Any:
        """Returns the position in a cursor of the same query; refused where it is another's."""
        return self._cursors.open_position(cursor, query)

    async def delete_all(self, bound: BoundPattern[Entity]) -> None:
        """Deletes all that a pattern gives, in bounded writes.

        Where it is interrupted, the next time finds what is left.
        """
        writes: list[Write] = []
        async for one in self.all(bound, limit=REQUEST_OPERATIONS):
            writes.append(delete(one))
            if len(writes) == REQUEST_OPERATIONS:
                await self.write(*writes)
                writes.clear()
        if writes:
            await self.write(*writes)

    async def close(self) -> None:
        """Lets go of the engine."""
        await self.engine.close()

    async def _batch_get(self, refs: Sequence[Ref[Any]]) -> list[Any]:
        found: list[Any] = []
        for start in range(0, len(refs), BATCH):
            some = refs[start : start + BATCH]
            _count_reads(1)
            wanted = [(ref.entity.schema.table, ref.key, ref.entity.decoder) for ref in some]
            found += await self.engine.batch_get_decoded(wanted)
        return found

    async def _write(self, writes: Sequence[Write]) -> None:
        operations = [write.operation for write in writes]
        check_operations(operations)
        if (count := current_count.get()) is not None:
            count.writes += 1
        try:
            await self.engine.write(operations)
        except ConditionFailed as failed:
            self.write_trouble = None
            failed.operation = writes[failed.index]
            if (refusal := refusal_of(failed.operation, failed.item)) is not None:
                raise refusal from failed
            raise
        except Unavailable as trouble:
            self.write_trouble = trouble
            raise
        else:
            self.write_trouble = None
        finally:
            self.own_writes.note(operations)

    async def _rows(self, bound: BoundPattern[T], limit: int, start: Item | None) -> Rows[T]:
        _check_limit(limit)
        _count_reads(1)
        pattern = bound.pattern
        _check(bound)
        query = Query(
            pattern.table,
            pattern.index,
            bound.partition,
            bound.sort,
            not pattern.newest_first,
            limit,
            start,
        )
        rows = await self.engine.query(query, pattern.decoder)
        if rows.damaged:
            handle_damage(rows.damaged)
        return rows

    def _seal(self, position: Item, bound: BoundPattern[T]) -> str:
        return self._cursors.seal(position, _binding(bound))


def _check(bound: BoundPattern[Any]) -> None:
    low, high = (None, None) if bound.sort is None else (bound.sort.low, bound.sort.high)
    check_query(bound.pattern.table, bound.pattern.key, bound.partition, low, high)


def _count_reads(number: int) -> None:
    if (count := current_count.get()) is not None:
        count.reads += number


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MAX_PAGE:
        raise Refused(f"A page holds 1 to {MAX_PAGE} things, not {limit}.")


def _primary(bound: BoundPattern[Any]) -> Key:
    if not bound.pattern.one:
        raise Refused(f"“{bound.pattern.name}” gives a page, not one thing.")
    return (bound.partition,) if bound.sort is None else (bound.partition, bound.sort.low)


def _position(bound: BoundPattern[Any], last: Entity) -> Item:
    """Returns where to go on after something: its key attributes in the table and in the index."""
    table, index, templates = bound.pattern.table, bound.pattern.index, last.schema.templates
    keys = table.key if index is None else (*index.key, *table.key)
    return {one.name: templates[one.name].value_of(last) for one in keys}


def _binding(bound: BoundPattern[Any]) -> Any:
    """Returns what a cursor is good for: this pattern, with these parameters."""
    sort = bound.sort
    limits = None if sort is None else (sort.sign, sort.low, sort.high)
    return (bound.pattern.table.name, bound.pattern.name, bound.partition, limits)
