"""Asking an ASGI application itself, and taking every byte that it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from commonroom.http.asgi import ASGIApp


async def told(
    app: ASGIApp,
    path: str,
    headers: Mapping[str, str] | None = None,
    *,
    method: str = "GET",
    query: bytes = b"",
    client: str = "192.0.2.1",
    body: Sequence[bytes] = (b"",),
    is_whole: bool = True,
) -> list[Any]:
    """All messages of an answer, in their order; a body that is not whole breaks off at its end."""
    shown = {"host": "commonroom.test", "x-request-id": "always-the-same"} | {**(headers or {})}
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in shown.items()],
        "client": (client, 1234),
        "server": ("commonroom.test", 80),
        "state": {},
    }
    messages: list[Any] = []
    waiting = list(body)

    async def receive() -> Any:
        if not waiting:
            return {"type": "http.disconnect"}
        part = waiting.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(waiting) or not is_whole}

    async def send(message: Any) -> None:
        messages.append(message)

    await app(scope, receive, send)
    return messages
