"""Connections to the index file: some to read, each for one search at a time, and one to write."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from commonroom.search.embedded.index_file import inode_of, open_index_file, open_to_read
from commonroom.search.embedded.state import count_documents, get_state

MAX_SECONDS = 1.0
"""A search gives what it has found by then."""
PROGRESS_STEPS = 10_000
"""How often SQLite looks at the clock: every so many of its instructions."""


class IndexConnections:
    """The connections of this process to one index file."""

    def __init__(self, path: Path, *, only_reading: bool, store_id: str | None) -> None:
        self.path = path
        self._store_id = store_id
        self._open = open_to_read if only_reading else open_index_file
        self.writing = self._open(path, store_id)
        self.inode = inode_of(path)
        self.generation = str(get_state(self.writing, "generation"))
        self.documents = count_documents(self.writing)
        """About how many there are."""
        self._idle: list[apsw.Connection] = []
        self._lock = threading.Lock()

    @property
    def is_current(self) -> bool:
        """Whether this is still the file of that name."""
        return self.inode is not None and inode_of(self.path) == self.inode

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection to read with, for as long as a search may take."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._open(self.path, self._store_id)
        until = time.monotonic() + MAX_SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > until, PROGRESS_STEPS)
        try:
            yield connection
        finally:
            self._idle.append(connection)

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The connection that writes, without a transaction."""
        with self._lock:
            yield self.writing

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[apsw.Connection]:
        """All that is written inside, or nothing; a power cut may take what is not durable."""
        with self._lock:
            self.writing.pragma("synchronous", "FULL" if durable else "NORMAL")
            self.writing.execute("BEGIN IMMEDIATE")
            try:
                yield self.writing
            except BaseException:
                if self.writing.in_transaction:  # after some errors SQLite has ended it already
                    self.writing.execute("ROLLBACK")
                raise
            self.writing.execute("COMMIT")

    def close(self) -> None:
        """Lets go of the file, once what is being written is done: it may go on in a thread."""
        with self._lock:
            for connection in (*self._idle, self.writing):
                connection.close()
