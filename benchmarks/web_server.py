"""Two servers to be measured against each other: our API, and a bare ASGI application.

python -m benchmarks.web_server ours|bare FILE PORT
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp

from benchmarks.bare import QUERY, sql
from benchmarks.library import PAGE, Book, Video, books, by_title, media
from commonroom.accounts.service import signing_in
from commonroom.accounts.tables import User, tables
from commonroom.store import Store, create
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.files import connect
from commonroom.web.access import Need, check_access
from commonroom.web.answers import Answer
from commonroom.web.api_requests import ApiRequest
from commonroom.web.direct import direct
from commonroom.web.operations import get
from commonroom.web.outer import outer
from commonroom.web.paging import Listed, Paging, listed
from commonroom.web.people.api import people_api
from commonroom.web.problems import said

COUNT = 1000
# The first of them, whose place both sides know.
ONE = next(books(COUNT))


@get("/api/v1/books/{item_id:str}", Need.SIGNED_IN)
async def get_book(request: ApiRequest, item_id: str) -> Answer[Book]:
    """Get a book."""
    ref = Book.at(owner_id=ONE.owner_id, library_id=ONE.library_id, item_id=item_id)
    found = await request.store.get(ref)
    assert found is not None
    return Answer(found)


@get("/api/v1/books", Need.SIGNED_IN)
async def list_books(request: ApiRequest, paging: Paging) -> Answer[Listed[Book | Video]]:
    """List books."""
    asked = by_title(owner_id=ONE.owner_id)
    return Answer(await listed(request.store, asked, paging, lambda book: book))


def ours(file: Path) -> ASGIApp:
    """The API with everything that a request goes through."""
    store = Store(EmbeddedEngine(file, [media, *tables], durability="OFF"))
    app = Litestar(
        [people_api(), get_book, list_books],
        guards=[check_access],
        exception_handlers={Exception: said},
        openapi_config=None,
        logging_config=None,
        state=State({"store": store, "settings": SimpleNamespace()}),
    )
    return outer(direct(app))


def bare(file: Path) -> ASGIApp:
    """The same reads by hand, for anybody."""
    connection = connect(file, create=False)
    execute, encode = connection.execute, msgspec.json.Encoder().encode
    one = msgspec.msgpack.Decoder(Book).decode
    several = msgspec.msgpack.Decoder(Book | Video).decode
    key, partition = ONE.ref.key, f"owner#{ONE.owner_id}"

    async def app(scope: Any, _: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/api/v1/books":
            found = [several(blob) for (blob,) in execute(QUERY, (partition, PAGE))]
            body = encode({"items": found, "next_cursor": None})
        else:
            body = encode(one(execute(sql.get, key).get))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


async def prepare(file: Path) -> str:
    """Fills a file, and signs a browser in: its cookie's secret."""
    engine = EmbeddedEngine(file, [media, *tables], durability="OFF")
    store = Store(engine)
    await engine.load(media, [book.to_item() for book in books(COUNT)])
    user = User(
        user_id="measured", display_name="Ada", created_at="2026-05-31T18:00:00.000Z", is_admin=True
    )
    await store.write(create(user))
    secret = await signing_in.open_session(store, time.time(), user)
    await store.close()
    return secret


def main() -> None:
    """Serves one of them until it is killed."""
    side, file, port = sys.argv[1:]
    app = {"ours": ours, "bare": bare}[side](Path(file))
    server = Server(
        app,
        address="127.0.0.1",
        port=int(port),
        interface=Interfaces.ASGI,
        log_level=LogLevels.error,
    )
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
