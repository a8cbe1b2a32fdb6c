"""HEAD is answered as GET is, without the body: in one place, for every route."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send


def answer_heads(app: ASGIApp) -> ASGIApp:
    """Wraps the application, which never sees a HEAD request."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        # A connection of another kind has no method.
        if scope.get("method") == "HEAD":
            as_get: Any = {**scope, "method": "GET"}
            await _without_body(app, as_get, send)
        else:
            await app(scope, receive, send)

    return wrapped


async def _without_body(app: ASGIApp, scope: Scope, send: Send) -> None:
    over = asyncio.Event()
    asked: list[HTTPReceiveMessage] = [
        {"type": "http.request", "body": b"", "more_body": False},
    ]

    async def receiving() -> Any:
        """Nothing; and that nobody listens any more, so that a stream of events ends, too."""
        if asked:
            return asked.pop()
        await over.wait()
        return {"type": "http.disconnect"}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
        elif not over.is_set():
            over.set()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    await app(scope, receiving, sending)
