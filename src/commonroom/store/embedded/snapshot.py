"""The data file as it is at one moment, for reading all of it while others write."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from commonroom.store.declare.table import Table
from commonroom.store.embedded.apply import Tables
from commonroom.store.embedded.files import connect
from commonroom.store.embedded.reads import Reads
from commonroom.store.embedded.schema import TableSql
from commonroom.store.engine import Clock, Rows
from commonroom.store.values import Item


class Snapshot:
    """A reader whose every page is of the same moment; the file must have all the tables."""

    def __init__(self, path: Path, tables: Sequence[Table], clock: Clock = time.time) -> None:
        self._connection = connect(path, create=False)
        self._connection.execute("BEGIN")
        self._reads = Reads(
            path, self._connection, Tables({table.name: TableSql(table) for table in tables}), clock
        )
        # SQLite fixes the moment at the first read, not at BEGIN.
        _ = self._connection.execute("SELECT count(*) FROM sqlite_schema").get

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """One page of everything."""
        return self._reads.scan(table, limit, start)

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()
