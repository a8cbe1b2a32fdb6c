"""The file of an embedded engine as it was at a moment, put back as often as a test likes.

To furnish a house takes many times as long as to ask there: it is furnished once, and whoever asks
finds it as it was. Engines that have the file open see a commit, like another process's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import apsw

from commonroom.model import MODEL
from commonroom.store import Store
from commonroom.store.cursors import Cursors
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import connect

H = TypeVar("H")


class Snapshot:
    """All that a file holds, kept in memory."""

    def __init__(self, path: Path) -> None:
        self._kept = apsw.Connection(":memory:")
        with closing(connect(path, create=False)) as file:
            copy_file(self._kept, file)

    def make(self, path: Path) -> None:
        """Makes a file that holds this."""
        with closing(connect(path, "OFF")) as file:
            copy_file(file, self._kept)

    @contextmanager
    def in_use(self, engine: EmbeddedEngine) -> Iterator[Restorer]:
        """Puts this back into an engine's file, after whatever is written there."""
        with closing(connect(engine.path, "OFF")) as file:
            yield Restorer(engine, file, self._kept)


class Restorer:
    """Puts a file back as it was, if anything has been written to it."""

    def __init__(
        self, engine: EmbeddedEngine, file: apsw.Connection, kept: apsw.Connection
    ) -> None:
        self._engine, self._file, self._kept = engine, file, kept
        self._seen: int | None = None

    def restore(self) -> None:
        """Lets the file hold what it held at first."""
        if self._engine.change_number() != self._seen:
            copy_file(self._file, self._kept)
            self._seen = self._engine.change_number()


def copy_file(target: apsw.Connection, source: apsw.Connection) -> None:
    """Lets a file hold what another holds."""
    with target.backup("main", source, "main") as backup:
        backup.step()


class Homes(Generic[H]):
    """Homes that are furnished once in a process, all in one file, whoever asks in whichever test.

    A test has a file of its own, in which every question finds them as they were.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, H] = {}
        self._snapshot: Snapshot | None = None
        self._cursor_key = Cursors.new_key()

    def store(self, path: Path) -> Store:
        """Opens a new file with all that has been furnished; sealed ids are good there."""
        if self._snapshot is not None:
            self._snapshot.make(path)
        engine = EmbeddedEngine(path, MODEL.tables, durability="OFF")
        return Store(engine, cursor_key=self._cursor_key)

    async def home(self, store: Store, kind: Hashable, furnish: Callable[[], Awaitable[H]]) -> H:
        """Returns a home of some kind, where nothing has happened since it was furnished."""
        assert isinstance(store.engine, EmbeddedEngine)
        if self._snapshot is not None:
            with self._snapshot.in_use(store.engine) as restorer:
                restorer.restore()
        if kind not in self._made:
            self._made[kind] = await furnish()
            self._snapshot = Snapshot(store.engine.path)
        return self._made[kind]
