"""What an operation answers: a struct as JSON, nothing, or a file that is made while it is sent."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from litestar import Request, Response
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.datastructures import Cookie
from litestar.response.base import ASGIResponse
from litestar.types import HTTPResponseBodyEvent, Receive, Scope, Send

T = TypeVar("T")

RawHeaders = list[tuple[bytes, bytes]]

encode = msgspec.json.Encoder().encode

JSON = (b"content-type", b"application/json")
HTML = (b"content-type", b"text/html; charset=utf-8")
# It is about one person, or holds a secret that is shown once; what has an ETag may be kept, to be
# asked for again.
NOT_KEPT = (b"cache-control", b"no-store")
ASKED_AGAIN = (b"cache-control", b"private, no-cache")


class JsonResponse(Response[T]):
    """An answer whose body is encoded at once, without the detours of a general response."""

    __slots__ = ("encoded",)

    def __init__(
        self,
        content: T,
        *,
        status: int | None = None,
        headers: dict[str, str] | None = None,
        encoded: bytes | None = None,
    ) -> None:
        self.encoded = encoded
        """The content as it is sent, where it had to be encoded before."""
        # All that the base sets; its own `__init__` takes longer than the rest of an answer.
        self.content = content
        self.status_code = status
        self.headers = {} if headers is None else headers
        self.cookies = []
        self.background = None
        self.encoding = "utf-8"
        self.media_type = None
        self.response_type_encoders = {}

    def to_asgi_response(
        self,
        app: Any,  # noqa: ARG002 - Litestar gives it
        request: Request[Any, Any, Any],  # noqa: ARG002 - Litestar gives it
        *,
        cookies: Iterable[Cookie] | None = None,
        headers: dict[str, str] | None = None,
        status_code: int | None = None,
        **_: Any,
    ) -> ASGIResponse:
        """The answer as it is sent; `headers` and `cookies` are those that layers above add."""
        own = self.headers if not headers else {**headers, **self.headers}
        raw: RawHeaders = [ASKED_AGAIN if "ETag" in own else NOT_KEPT]
        body = b""
        if self.content is not None:
            body = encode(self.content) if self.encoded is None else self.encoded
            raw += [JSON, (b"content-length", b"%d" % len(body))]
        raw += _raw(own, [*self.cookies, *(cookies or ())])
        return EncodedResponse(self.status_code or status_code or 200, raw, body)


class HtmlResponse(JsonResponse[str]):
    """A page, which takes the same short way."""

    __slots__ = ()

    def to_asgi_response(
        self,
        app: Any,  # noqa: ARG002 - Litestar gives it
        request: Request[Any, Any, Any],  # noqa: ARG002 - Litestar gives it
        *,
        cookies: Iterable[Cookie] | None = None,
        headers: dict[str, str] | None = None,
        status_code: int | None = None,
        **_: Any,
    ) -> ASGIResponse:
        """Returns the answer as it is sent."""
        own = self.headers if not headers else {**headers, **self.headers}
        body = self.content.encode()
        raw: RawHeaders = [HTML, (b"content-length", b"%d" % len(body))]
        raw += _raw(own, [*self.cookies, *(cookies or ())])
        status = self.status_code or status_code or 200
        return EncodedResponse(status, raw, body, self.background)


def _raw(headers: dict[str, str], cookies: Iterable[Cookie]) -> RawHeaders:
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    return raw + [one.to_encoded_header() for one in cookies]


class EncodedResponse(ASGIResponse):
    """An answer that only has to be sent."""

    __slots__ = ("raw",)

    def __init__(
        self,
        status: int,
        raw: RawHeaders,
        body: bytes,
        background: BackgroundTask | BackgroundTasks | None = None,
    ) -> None:
        self.status_code = status
        self.raw = raw
        self.body = body
        self.background = background

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Sends it."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
        if self.background is not None:
            await self.background()


CSV, JSON_FILE = "text/csv; charset=utf-8", "application/json"
"""What exported files are."""
PIECE_BYTES = 64 * 1024
"""What is worth a message of its own."""


class FileAnswer(JsonResponse[Any]):
    """A file to be saved under a name."""

    __slots__ = ("_kind", "_name", "_pieces")

    def __init__(self, pieces: AsyncIterator[bytes], *, kind: str, name: str) -> None:
        super().__init__(None)
        self._pieces, self._kind, self._name = pieces, kind, name

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        """Returns the answer as it is sent."""
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
