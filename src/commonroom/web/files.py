"""Files as answers: made while they are sent, so that they are never whole in memory."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

from litestar.response.base import ASGIResponse
from litestar.types import HTTPResponseBodyEvent, Receive, Scope, Send

from commonroom.web.json_responses import NOT_KEPT, JsonResponse, RawHeaders

PIECE_BYTES = 64 * 1024
"""What is worth a message of its own."""


class FileAnswer(JsonResponse[Any]):
    """A file to be saved under a name."""

    __slots__ = ("_kind", "_name", "_pieces")

    def __init__(self, pieces: AsyncIterator[bytes], *, kind: str, name: str) -> None:
        super().__init__(None)
        self._pieces, self._kind, self._name = pieces, kind, name

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        """The answer as it is sent."""
        plain = re.sub(r"[^A-Za-z0-9.]+", "-", self._name)
        named = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(self._name, safe='')}"
        raw = [
            NOT_KEPT,
            (b"content-type", self._kind.encode()),
            (b"content-disposition", named.encode()),
        ]
        return _Streamed(raw, self._pieces)


class _Streamed(ASGIResponse):
    """A file on its way."""

    __slots__ = ("pieces", "raw")

    def __init__(self, raw: RawHeaders, pieces: AsyncIterator[bytes]) -> None:
        self.raw, self.pieces = raw, pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Sends it."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw})
        waiting = bytearray()
        async for piece in self.pieces:
            waiting += piece
            if len(waiting) >= PIECE_BYTES:
                await send(_body(bytes(waiting), more=True))
                waiting.clear()
        await send(_body(bytes(waiting), more=False))


def _body(piece: bytes, *, more: bool) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": piece, "more_body": more}
