"""The same answers by hand: an ASGI application with nothing but the read and the encoding.

python -m benchmarks.bare_server FILE PARENT PORT
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import msgspec
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from litestar.types import ASGIApp

from commonroom.accounts.tables import users
from commonroom.store.embedded.data_file import connect
from commonroom.store.embedded.schema import TableSql
from commonroom.web.people.api.views import Member

PAGE = 50
QUERY = 'SELECT _item FROM "Users" WHERE parent_user_id = ? ORDER BY user_id LIMIT ?'


def bare(file: Path, parent: str) -> ASGIApp:
    """A member for anybody who knows its id; without one, a page of a parent's."""
    execute, encode = connect(file, create=False).execute, msgspec.json.Encoder().encode
    decode, select = msgspec.msgpack.Decoder(Member).decode, TableSql(users).get

    async def app(scope: Any, _: Any, send: Any) -> None:
        last = scope["path"].rpartition("/")[2]
        if last == "members":
            found = [decode(blob) for (blob,) in execute(QUERY, (parent, PAGE))]
            body = encode({"items": found, "next_cursor": None})
        else:
            body = encode(decode(execute(select, (last,)).get))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def main() -> None:
    """Serves until it is killed."""
    file, parent, port = sys.argv[1:]
    server = Server(
        bare(Path(file), parent),
        address="127.0.0.1",
        port=int(port),
        interface=Interfaces.ASGINL,
        log_level=LogLevels.error,
    )
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
