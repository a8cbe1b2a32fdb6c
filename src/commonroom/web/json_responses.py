"""What an operation answers: a struct as JSON, or nothing; headers and cookies besides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

T = TypeVar("T")

RawHeaders = list[tuple[bytes, bytes]]

encode = msgspec.json.Encoder().encode

JSON = (b"content-type", b"application/json")
# It is about one person, or holds a secret that is shown once; what has an ETag may be kept, to be
# asked for again.
NOT_KEPT = (b"cache-control", b"no-store")
ASKED_AGAIN = (b"cache-control", b"private, no-cache")


class JsonResponse(Response[T]):
    """An answer whose body is encoded at once, without the detours of a general response."""

    __slots__ = ()

    def __init__(
        self, content: T, *, status: int | None = None, headers: dict[str, str] | None = None
    ) -> None:
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
            body = encode(self.content)
            raw += [JSON, (b"content-length", b"%d" % len(body))]
        raw += [(name.lower().encode(), value.encode("latin-1")) for name, value in own.items()]
        raw += [one.to_encoded_header() for one in (*self.cookies, *(cookies or ()))]
        return EncodedResponse(self.status_code or status_code or 200, raw, body)


class EncodedResponse(ASGIResponse):
    """An answer that only has to be sent."""

    __slots__ = ("raw",)

    def __init__(self, status: int, raw: RawHeaders, body: bytes) -> None:
        self.status_code = status
        self.raw = raw
        self.body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Sends it."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
