"""The same answers by hand: an ASGI application with nothing but reads, decoding and encoding.

python -m benchmarks.bare_server FILE PORT
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

from benchmarks.rooms import VIEWS
from benchmarks.rooms.declare import BareFile, Handler
from benchmarks.rooms.library import bare_limit
from commonroom.http.asgi import ASGIApp
from commonroom.http.middleware import HEADERS

SAID = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"private, no-cache"),
    (b"etag", b'"0123456789abcdef01234567"'),
    *HEADERS,
    (b"x-request-id", b"0123456789abcdef"),
]
"""What ours says of an answer as well, here without working any of it out."""
LIMIT = "limit"
"""The key of the handler that no other can surpass: it reads 50 rows and sends them."""


def bare(handlers: Mapping[str, Handler]) -> ASGIApp:
    """Each handler below its key: `/shelf/api/v1/libraries/…`."""
    encode = msgspec.json.Encoder().encode

    async def app(scope: Any, _: Any, send: Any) -> None:
        _, key, path = scope["path"].split("/", 2)
        if query := scope["query_string"]:
            path = f"{path}?{query.decode()}"
        body = encode(handlers[key](path))
        headers = [*SAID, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def main() -> None:
    """Serves until it is killed."""
    path, port = sys.argv[1:]
    file = BareFile(Path(path))
    handlers = {key: view.bare(file) for key, view in VIEWS.items()}
    server = Server(
        bare(handlers | {LIMIT: bare_limit(file)}),
        address="127.0.0.1",
        port=int(port),
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        log_level=LogLevels.error,
    )
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
