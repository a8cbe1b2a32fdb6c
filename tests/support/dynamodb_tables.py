"""Databases of a DynamoDB Local whose tables are made once, and emptied before each test.

The server keeps each database in a file. To make the tables of the house takes a hundred times as
long as to put back the file in which they are, and every database of a server has threads that
never rest.
"""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import cycle
from pathlib import Path

import apsw
import pytest

from commonroom.model import MODEL
from commonroom.store import Table
from commonroom.store.dynamodb import DynamoEngine
from tests.support.dynamodb_local import running
from tests.support.snapshots import copy_file

REGION = "local"
IN_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of our own is made in it)
"""Where Linux has files in memory; elsewhere they are on the disk."""
TURNS = 2
"""How many databases take turns, so that what a test has sent and no longer waits for is carried
out in one that the next test does not use."""
BUSY_MILLISECONDS = 10_000


class ReusedDatabase:
    """A database, named by an access key, that is emptied for each test."""

    def __init__(self, endpoint: str, folder: Path, tables: Sequence[Table]) -> None:
        self.endpoint = endpoint
        self.access_key = uuid.uuid4().hex
        self._path = folder / f"{self.access_key}_{REGION}.db"
        self._tables = tables
        self._empty: apsw.Connection | None = None

    async def clear(self, engine: DynamoEngine) -> None:
        """Lets it hold its tables, and nothing in them."""
        if self._empty is None:
            await engine.create_tables(self._tables)
            self._empty = self._copied()
        with closing(self._opened()) as file:
            copy_file(file, self._empty)

    def _copied(self) -> apsw.Connection:
        copy = apsw.Connection(":memory:")
        with closing(self._opened()) as file:
            # Threads of the server's that look for work then go on while the file is put back.
            file.pragma("journal_mode", "wal")
            copy_file(copy, file)
        return copy

    def _opened(self) -> apsw.Connection:
        file = apsw.Connection(str(self._path))
        file.set_busy_timeout(BUSY_MILLISECONDS)
        file.pragma("synchronous", "OFF")
        return file


class ReusedDatabases:
    """The databases of one server, which is started when the first of them is needed."""

    def __init__(self, jar: Path, log: Path) -> None:
        self._jar, self._log = jar, log
        self._server = ExitStack()
        self._place: tuple[str, Path] | None = None
        self._taking_turns: dict[tuple[Table, ...], Iterator[ReusedDatabase]] = {}

    def next_with(self, tables: Sequence[Table]) -> ReusedDatabase:
        """Returns a database that has these tables once it is cleared."""
        # Rooms share one that has all tables of the house.
        made = tuple(MODEL.tables if set(tables) <= set(MODEL.tables) else tables)
        if made not in self._taking_turns:
            endpoint, folder = self._started()
            turns = [ReusedDatabase(endpoint, folder, made) for _ in range(TURNS)]
            self._taking_turns[made] = cycle(turns)
        return next(self._taking_turns[made])

    def close(self) -> None:
        """Ends the server, and removes its files."""
        self._server.close()

    def _started(self) -> tuple[str, Path]:
        if self._place is None:
            temporary = tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None)
            folder = Path(self._server.enter_context(temporary))
            endpoint = self._server.enter_context(running(self._jar, self._log, folder))
            self._place = endpoint, folder
        return self._place


def use_access_key(patch: pytest.MonkeyPatch, access_key: str) -> None:
    """Sets the credentials with which a database is reached."""
    patch.setenv("AWS_ACCESS_KEY_ID", access_key)
    patch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    patch.delenv("AWS_SESSION_TOKEN", raising=False)
