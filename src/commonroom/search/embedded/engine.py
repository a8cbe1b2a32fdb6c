"""The embedded index: answers from one file, which several processes share."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import apsw

from commonroom.search.documents import Document, DocumentKey
from commonroom.search.embedded import reads, state
from commonroom.search.embedded.connections import IndexConnections
from commonroom.search.embedded.index_file import (
    BUSY_MILLISECONDS,
    is_damage,
    replace_index_file,
)
from commonroom.search.embedded.schema import decode
from commonroom.search.embedded.state import IndexCheckpoint
from commonroom.search.embedded.writes import IndexWriter
from commonroom.search.hits import IndexHit
from commonroom.search.index import (
    IndexReplaced,
    IndexState,
    IndexTicket,
    Reindex,
    SearchUnavailable,
)
from commonroom.search.queries import SearchQuery
from commonroom.store.embedded import disk_space
from commonroom.store.embedded.worker_locks import WorkerLocks

T = TypeVar("T")

FEW_DOCUMENTS = 10_000
"""So many are searched in less time than a hop to a thread and back is worth."""
MERGED_PAGES, MAX_MERGES = 500, 10_000

KEYS = """
SELECT kind, id FROM places WHERE (kind, id) > (?, ?) AND place IS NOT NULL
ORDER BY kind, id LIMIT ?
"""
BODY = """
SELECT body FROM documents WHERE place = (SELECT place FROM places WHERE kind = ? AND id = ?)
"""
MERGE = (
    "INSERT INTO titles (titles, rank) VALUES ('merge', ?)",
    "INSERT INTO texts (texts, rank) VALUES ('merge', ?)",
)
VERIFY = (  # 1: compared with the documents as well
    "INSERT INTO titles (titles, rank) VALUES ('integrity-check', 1)",
    "INSERT INTO texts (texts, rank) VALUES ('integrity-check', 1)",
)


class EmbeddedIndex:
    """Everything in one file."""

    name = "embedded"

    def __init__(
        self,
        path: Path,
        *,
        store_id: str | None = None,
        only_reading: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self._store_id = store_id
        self._only_reading = only_reading
        self._clock = clock
        self._opened: IndexConnections | None = None
        self._opening = threading.Lock()
        self._locks, self._lock = WorkerLocks(path), ""

    async def search(self, query: SearchQuery) -> list[IndexHit]:
        """What matches, the best first; of many documents in a thread, so that others go on."""

        def work(opened: IndexConnections) -> list[IndexHit]:
            with opened.reading() as connection:
                return reads.search(connection, query)

        is_small = self._opened is not None and self._opened.documents < FEW_DOCUMENTS
        return self._run(work) if is_small else await asyncio.to_thread(self._run, work)

    async def ticket(self) -> IndexTicket:
        """Returns the next ticket."""

        def work(opened: IndexConnections) -> IndexTicket:
            # After a power cut, the clock is ahead of all that were given before.
            with opened.transaction(durable=False) as connection:
                return state.next_ticket(connection, opened.generation, self._clock())

        return await asyncio.to_thread(self._run, work)

    async def apply(
        self, ticket: IndexTicket, changes: Mapping[DocumentKey, Document | None]
    ) -> None:
        """Puts documents, or removes them where there is None; each unless it is newer."""

        def work(opened: IndexConnections) -> None:
            if ticket.indexes != (opened.generation,):
                raise IndexReplaced("The search index was made anew meanwhile.")
            with opened.transaction() as connection:
                writer = IndexWriter(connection)
                for key, document in changes.items():
                    if document is None:
                        writer.delete(key, ticket.number)
                    else:
                        writer.put(document, ticket.number)
            opened.documents += len(changes)

        await asyncio.to_thread(self._run, work)

    async def read(self, keys: Sequence[DocumentKey]) -> dict[DocumentKey, Document]:
        """Returns those of these documents that are there."""

        def bodies(connection: apsw.Connection) -> dict[DocumentKey, Any]:
            return {key: connection.execute(BODY, key).get for key in keys}

        found = await self._read(bodies)
        return {key: decode(body) for key, body in found.items() if body is not None}

    async def keys(self, after: DocumentKey | None, limit: int) -> list[DocumentKey]:
        """Returns which documents there are, in the order of their keys."""

        def some(connection: apsw.Connection) -> list[DocumentKey]:
            rows = connection.execute(KEYS, (*(after or ("", "")), limit))
            return [(str(kind), str(document_id)) for kind, document_id in rows]

        return await self._read(some)

    async def state(self) -> IndexState:
        """Returns how it is doing."""

        def work(opened: IndexConnections) -> IndexState:
            with opened.reading() as connection:
                found = state.read_state(connection)
            opened.documents = found.documents
            return found

        return await asyncio.to_thread(self._run, work)

    async def is_complete(self) -> bool:
        """Whether everything was indexed; nothing is counted for that."""
        return bool(await self._read(partial(state.get_state, name="declared")))

    async def progress(self) -> IndexCheckpoint:
        """Returns how far it has followed the streams by itself."""
        return await self._read(state.read_progress)

    async def save_progress(self, progress: IndexCheckpoint) -> None:
        """Remembers how far it has followed."""
        await self._write(partial(state.set_progress, progress=progress))

    async def mark_incomplete(self) -> None:
        """Lets everything be indexed anew: it may have missed something."""
        await self._write(state.mark_incomplete)

    def new_holder(self) -> str:
        """Returns a name for who reindexes, with that of the lock that ends with this process."""
        if not self._lock:
            self._lock = self._locks.take()
        return f"{self._lock}.{uuid4().hex}"

    async def begin_reindex(self, declared: str, holder: str, now: float) -> Reindex | None:
        """Begins to index everything, or resumes it; None while another process is at it."""

        def work(opened: IndexConnections) -> Reindex | None:
            with opened.transaction() as connection:
                ticket = state.next_ticket(connection, opened.generation, self._clock())
                return state.take_reindex(
                    connection, ticket, declared, holder, now, has_ended=self._has_ended
                )

        return await asyncio.to_thread(self._run, work)

    async def save_reindex(self, reindex: Reindex) -> None:
        """Remembers how far it has come."""
        await self._write(partial(state.set_reindex, reindex=reindex))

    async def finish_reindex(self, reindex: Reindex) -> None:
        """Takes out what is left over from before, and merges what was written in many pieces."""

        def work(opened: IndexConnections) -> None:
            more = True
            while more:
                with opened.transaction() as connection:
                    more = state.take_out_left_over(connection, reindex)
            with opened.transaction() as connection:
                state.end_reindex(connection, reindex)
            for statement in MERGE:
                _merge(opened, statement)
            with opened.alone() as connection, suppress(apsw.BusyError):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        await asyncio.to_thread(self._run, work)

    async def verify(self) -> None:
        """Reads the whole file; where it is damaged, it is made anew, and empty."""

        def work(opened: IndexConnections) -> None:
            with opened.alone() as connection:
                problem = connection.execute("PRAGMA integrity_check(1)").get
            if problem != "ok":
                raise apsw.CorruptError(str(problem))
            if not self._only_reading:
                with opened.transaction() as connection:
                    for statement in VERIFY:
                        connection.execute(statement)

        await asyncio.to_thread(self._run, work)

    async def reclaim_space(self) -> None:
        """Empties the log, in which removed documents can still be read; once a day, all pages."""

        def work(opened: IndexConnections) -> None:
            with opened.alone() as connection:
                if state.is_new_day(connection, self._clock()):
                    disk_space.rewrite(connection)
                disk_space.empty_log(connection, self.path)
                connection.set_busy_timeout(BUSY_MILLISECONDS)

        await asyncio.to_thread(self._run, work)

    async def close(self) -> None:
        """Lets go of the file."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            await asyncio.to_thread(opened.close)
        self._locks.close()
        self._lock = ""

    def _has_ended(self, holder: str) -> bool:
        return self._locks.has_ended(holder.partition(".")[0])

    async def _read(self, look: Callable[[apsw.Connection], T]) -> T:
        def work(opened: IndexConnections) -> T:
            with opened.reading() as connection:
                return look(connection)

        return await asyncio.to_thread(self._run, work)

    async def _write(self, change: Callable[[apsw.Connection], None]) -> None:
        def work(opened: IndexConnections) -> None:
            with opened.transaction() as connection:
                change(connection)

        await asyncio.to_thread(self._run, work)

    def _run(self, work: Callable[[IndexConnections], T]) -> T:
        """What some work gives; a file that is found to be damaged is made anew, and empty."""
        try:
            opened = self._current()
            try:
                return work(opened)
            except apsw.Error as error:
                if not is_damage(error) or opened.inode is None or self._only_reading:
                    raise
                replace_index_file(self.path, opened.inode, str(error))
            return work(self._current())
        except apsw.Error as error:
            raise SearchUnavailable(f"The search index cannot be used: {error}.") from error

    def _current(self) -> IndexConnections:
        """Returns the file of that name, opened anew where another has taken its place."""
        with self._opening:
            if self._opened is None or not self._opened.is_current:
                # The old one is let go of when nobody uses it any more.
                self._opened = IndexConnections(
                    self.path, only_reading=self._only_reading, store_id=self._store_id
                )
            return self._opened


def _merge(opened: IndexConnections, statement: str) -> None:
    """Merges the pieces of a full-text table, some pages at a time, so that others can write."""
    for _ in range(MAX_MERGES):
        with opened.transaction(durable=False) as connection:
            before = connection.total_changes()
            connection.execute(statement, (-MERGED_PAGES,))
            if connection.total_changes() - before < 2:  # as SQLite says that there is no more
                return
