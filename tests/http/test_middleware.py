"""HEAD of something that never ends."""

from __future__ import annotations

import asyncio
from typing import Any

from commonroom.http.asgi import ASGIApp, Receive, Scope, Send
from commonroom.http.headers import EVENT_STREAM
from commonroom.http.middleware import answer_heads


async def answered(app: ASGIApp, method: str, path: str) -> list[Any]:
    """What is sent for a request whose sender stays and never says more."""
    sent: list[Any] = []
    scope: Any = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
        "scheme": "http",
        "root_path": "",
    }

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent


async def test_a_stream_ends_with_its_headers() -> None:
    ended = asyncio.Event()

    async def events(_: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [EVENT_STREAM]})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        ended.set()

    app = answer_heads(events)
    start, body = await answered(app, "HEAD", "/events")
    assert start["status"] == 200
    assert (b"content-type", b"text/event-stream; charset=utf-8") in start["headers"]
    assert body == {"type": "http.response.body", "body": b"", "more_body": False}
    assert ended.is_set()


async def test_other_kinds_of_connection_pass_untouched() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope, receive, send))

    given: Any = ({"type": "lifespan"}, object(), object())
    await answer_heads(app)(*given)
    assert seen == [given]
