"""The file of an embedded engine as it was at a moment, put back as often as a test likes.

To furnish a house takes many times as long as to ask there: it is furnished once, and whoever asks
finds it as it was. Engines that have the file open see a commit, like another process's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import connect


class Snapshot:
    """All that a file holds, kept in memory."""

    def __init__(self, path: Path) -> None:
        self._kept = apsw.Connection(":memory:")
        with closing(connect(path, create=False)) as file:
            _copy(self._kept, file)

    def make(self, path: Path) -> None:
        """Makes a file that holds this."""
        with closing(connect(path, "OFF")) as file:
            _copy(file, self._kept)

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
            _copy(self._file, self._kept)
            self._seen = self._engine.change_number()


def _copy(target: apsw.Connection, source: apsw.Connection) -> None:
    with target.backup("main", source, "main") as backup:
        backup.step()
