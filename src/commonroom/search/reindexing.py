"""Reindexing: all documents anew, while everything continues; an interrupted one is resumed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from commonroom.search.index import LEASE_SECONDS, Reindex
from commonroom.search.indexing import Indexer
from commonroom.store import Table
from commonroom.store.damage import tolerating_damage
from commonroom.store.engine import Clock
from commonroom.store.values import Item

PAGE = 200

Progress: TypeAlias = Callable[[str, int], None]
"""Is told where documents came from, and how many more."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[str, Any]).decode


async def reindex(
    indexer: Indexer, progress: Progress = lambda *_: None, clock: Clock = time.time
) -> int | None:
    """Indexes everything, or what is left of it; returns how many documents there are.

    None where another process is at it. `IndexReplaced` where the index was lost meanwhile.
    """
    begun = await indexer.index.begin_reindex(indexer.declared, indexer.index.new_holder(), clock())
    if begun is None:
        return None
    with tolerating_damage():
        return await Reindexing(indexer, begun, progress, clock).run()


class Reindexing:
    """One that is under way: first what is built in, then table by table."""

    def __init__(
        self, indexer: Indexer, reindex: Reindex, progress: Progress, clock: Clock
    ) -> None:
        self._indexer = indexer
        self._index = indexer.index
        self._reindex = reindex
        self._progress = progress
        self._clock = clock

    async def run(self) -> int:
        """Does all that is left."""
        if self._reindex.table == 0:
            await self._index_builtin()
        for number, table in enumerate(self._indexer.tables, start=1):
            while self._reindex.table == number:
                await self._index_page(table)
        await self._index.finish_reindex(self._reindex)
        return (await self._index.state()).documents

    async def _index_builtin(self) -> None:
        keys = self._indexer.builtin_keys
        for start in range(0, len(keys), PAGE):
            some = keys[start : start + PAGE]
            await self._indexer.refresh(some)
            self._progress("built-in titles", len(some))
        await self._save(table=1, start=None, more=len(keys))

    async def _index_page(self, table: Table) -> None:
        ticket = await self._index.ticket()  # before anything is read: see `Ticket`
        start: Item | None = None
        if self._reindex.start is not None:
            start = _decode(self._reindex.start)
        rows = await self._indexer.store.engine.scan(table, limit=PAGE, start=start)
        documents = self._indexer.documents_of(self._indexer.decode(table, rows.items))
        await self._index.apply(ticket, documents)
        if rows.next is None:
            await self._save(table=self._reindex.table + 1, start=None, more=len(documents))
        else:
            await self._save(
                table=self._reindex.table, start=_encode(rows.next), more=len(documents)
            )
        self._progress(table.name, len(documents))

    async def _save(self, *, table: int, start: bytes | None, more: int) -> None:
        self._reindex = replace(
            self._reindex,
            table=table,
            start=start,
            done=self._reindex.done + more,
            leased_until=self._clock() + LEASE_SECONDS,
        )
        await self._index.save_reindex(self._reindex)
