"""The same changes by hand: an ASGI application that stores what ours stored, in one commit.

python -m benchmarks.bare_writes FILE PLANS PORT

Of each act it is known what ours changes, with all that follows from it. Here every item of that is
read, decoded, changed, encoded and written with its stream record, all inline and in one commit.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import apsw
import msgspec
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from msgspec import Struct

from benchmarks.bare_server import SAID
from commonroom.http.asgi import ASGIApp
from commonroom.model import MODEL
from commonroom.search.embedded.schema import TABLES as INDEX_TABLES
from commonroom.search.embedded.writes import PUT_DOCUMENT, PUT_TEXT, PUT_TITLE
from commonroom.store.embedded.data_file import connect
from commonroom.store.embedded.engine import LOG_PAGES
from commonroom.store.embedded.schema import TableSql
from commonroom.store.embedded.writes import RECORD, shard_number
from commonroom.store.values import Item, Key

PUT_PLACE = "INSERT OR REPLACE INTO places (kind, id, version, place) VALUES (?, ?, ?, ?)"

_encode = msgspec.msgpack.Encoder().encode


class ItemChange(Struct, frozen=True):
    """An item before and after an act."""

    table: str
    key: Key
    old: dict[str, Any] | None
    new: dict[str, Any] | None


class Plan(Struct, frozen=True):
    """What an act changes, and what it is answered."""

    changes: list[ItemChange]
    answer: msgspec.Raw
    documents: int = 0
    """How many documents the search index is given."""


class BareWriter:
    """Carries a plan out, there and back: every other time, things become what they were."""

    def __init__(self, file: apsw.Connection, index: apsw.Connection, plan: Plan) -> None:
        self._execute = file.cursor().execute
        self._index = index
        self._plan = plan
        self._times = 0
        self._tables = {table.name: TableSql(table) for table in MODEL.tables}

    def __call__(self, _body: object) -> None:
        """Writes everything in one commit."""
        self._times += 1
        self._execute("BEGIN IMMEDIATE")
        for change in self._plan.changes:
            self._change(self._tables[change.table], change)
        self._execute("COMMIT")
        if self._plan.documents:
            self._add_documents()

    def _change(self, sql: TableSql, change: ItemChange) -> None:
        after, key = change.new if self._times % 2 else change.old, change.key
        if change.old is None and change.new is not None:
            after, key = self._another(sql, change.new)
        row = self._execute(sql.get_row, key).get
        before = None if row is None else sql.item(row)
        if after is None:
            self._execute(sql.delete, key)
        else:
            after = after if before is None else before | after
            self._execute(sql.upsert, sql.row(after))
        if sql.table.stream:
            self._record(sql, key, before, after)

    def _another(self, sql: TableSql, new: Item) -> tuple[Item, Key]:
        """Another thing than the last time, under a key of its own."""
        last = sql.key[-1]
        item = new | {last: f"{new[last]}-{self._times}"}
        return item, tuple(item[name] for name in sql.key)

    def _record(self, sql: TableSql, key: Key, before: Item | None, after: Item | None) -> None:
        kind = "insert" if before is None else "remove" if after is None else "modify"
        images = [None if one is None else _encode(one) for one in (before, after)]
        name, shard = sql.table.name, shard_number(key[0])
        self._execute(RECORD, (name, shard, time.time(), kind, False, _encode(key), *images))

    def _add_documents(self) -> None:
        execute = self._index.execute
        execute("BEGIN IMMEDIATE")
        for number in range(self._plan.documents):
            place = self._times * 10 + number
            words = ("winter room", "winter room", "elif aksoy", "book", "house sea lived there")
            execute(PUT_DOCUMENT, (place, *words, b"x" * 400))
            execute(PUT_TITLE, (place, *words[:4]))
            execute(PUT_TEXT, (place, words[4], words[3]))
            execute(PUT_PLACE, ("book", str(place), place, place))
        execute("COMMIT")


def bare(writers: Mapping[str, Callable[[object], None]], plans: Mapping[str, Plan]) -> ASGIApp:
    """Each act below its key: `/book/api/v1/libraries/…`."""
    answers = {key: bytes(plan.answer) for key, plan in plans.items()}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        _, key, _path = scope["path"].split("/", 2)
        message = await receive()
        body = message.get("body", b"")
        while message.get("more_body"):
            message = await receive()
            body += message.get("body", b"")
        if key in writers:
            writers[key](msgspec.json.decode(body) if body else None)
        # As ours makes its answer of what it has.
        answer = msgspec.json.encode(msgspec.json.decode(answers.get(key, b"null")))
        headers = [*SAID, (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    return app


def main() -> None:
    """Serves until it is killed."""
    path, plans_path, port = sys.argv[1:]
    plans = msgspec.json.decode(Path(plans_path).read_bytes(), type=dict[str, Plan])
    file = connect(Path(path), create=False)
    file.pragma("wal_autocheckpoint", LOG_PAGES)
    index = apsw.Connection(f"{path}-index")
    index.pragma("journal_mode", "wal")
    index.execute(INDEX_TABLES)
    writers = {key: BareWriter(file, index, plan) for key, plan in plans.items()}
    server = Server(
        bare(writers, plans),
        address="127.0.0.1",
        port=int(port),
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        log_level=LogLevels.error,
    )
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
