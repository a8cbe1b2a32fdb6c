"""Responses: JSON, pages, bytes, or a file that is made while it is sent; and their cookies."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from commonroom.http.asgi import Message, RawHeaders, Receive, Scope, Send

T = TypeVar("T")

encode = msgspec.json.Encoder().encode

JSON_TYPE = "application/json"
JSON = (b"content-type", b"application/json")
HTML = (b"content-type", b"text/html; charset=utf-8")
# It is about one person, or holds a secret that is shown once; what has an ETag may be kept, to be
# asked for again.
NOT_KEPT = (b"cache-control", b"no-store")
ASKED_AGAIN = (b"cache-control", b"private, no-cache")
WITHOUT_BODY = frozenset({204, 304})

_PLAIN_VALUE = re.compile(r"[A-Za-z0-9._~-]+")


class Cookie(Struct, frozen=True):
    """A cookie that a browser is to keep; one of no seconds is forgotten."""

    name: str
    value: str = ""
    path: str = "/"
    max_age: int | None = None
    """For how many seconds; None until the browser is closed."""
    httponly: bool = False
    samesite: Literal["lax", "strict", "none"] = "lax"
    secure: bool = False

    @property
    def header(self) -> tuple[bytes, bytes]:
        """The header that sets it; a value that needs it is quoted."""
        value = self.value
        if not _PLAIN_VALUE.fullmatch(value):
            value = SimpleCookie().value_encode(value)[1]
        said = f"{self.name}={value}"
        if self.httponly:
            said += "; HttpOnly"
        if self.max_age is not None:
            said += f"; Max-Age={self.max_age}"
        said += f"; Path={self.path}; SameSite={self.samesite}"
        if self.secure:
            said += "; Secure"
        return b"set-cookie", said.encode("latin-1")


class Response(Generic[T]):
    """An answer: bytes or text as they are, anything else as JSON."""

    __slots__ = ("content", "cookies", "headers", "media_type", "status_code")

    def __init__(
        self,
        content: T,
        *,
        status_code: int | None = None,
        media_type: str = JSON_TYPE,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.content = content
        self.status_code = status_code
        """None for that of its route."""
        self.media_type = media_type
        self.headers = {} if headers is None else headers
        self.cookies: list[Cookie] = []

    def set_cookie(self, cookie: Cookie) -> None:
        """Lets the browser keep a cookie."""
        self.cookies.append(cookie)

    def encoded(self) -> tuple[RawHeaders, bytes]:
        """Returns the body, and the headers that say what it is."""
        if self.status_code in WITHOUT_BODY:
            return [], b""
        content: Any = self.content
        if isinstance(content, str):
            body = content.encode()
        else:
            body = content if isinstance(content, bytes) else encode(content)
        kind = self.media_type
        if kind.startswith("text/") and "charset=" not in kind:
            kind += "; charset=utf-8"
        return [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))], body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Sends it."""
        headers, body = self.encoded()
        for name, value in self.headers.items():
            headers.append((name.lower().encode(), value.encode("latin-1")))
        for cookie in self.cookies:
            headers.append(cookie.header)
        status = self.status_code or 200
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


class JsonResponse(Response[T]):
    """An answer of the API, which nobody keeps unless it has an ETag."""

    __slots__ = ("_encoded",)

    def __init__(
        self,
        content: T,
        *,
        status: int | None = None,
        headers: dict[str, str] | None = None,
        encoded: bytes | None = None,
    ) -> None:
        """`encoded` is the content as it is sent, where it had to be encoded before."""
        self.content = content
        self.status_code = status
        self.headers = {} if headers is None else headers
        self.cookies = []
        self._encoded = encoded

    def encoded(self) -> tuple[RawHeaders, bytes]:
        """Returns the body, and the headers that say what it is."""
        kept = ASKED_AGAIN if "ETag" in self.headers else NOT_KEPT
        if self.content is None:
            return [kept], b""
        body = encode(self.content) if self._encoded is None else self._encoded
        return [kept, JSON, (b"content-length", b"%d" % len(body))], body


class HtmlResponse(Response[str]):
    """A page."""

    __slots__ = ()

    def encoded(self) -> tuple[RawHeaders, bytes]:
        """Returns the body, and the headers that say what it is."""
        body = self.content.encode()
        return [HTML, (b"content-length", b"%d" % len(body))], body


CSV, JSON_FILE = "text/csv; charset=utf-8", JSON_TYPE
"""What exported files are."""
PIECE_BYTES = 64 * 1024
"""What is worth a message of its own."""


class FileAnswer(JsonResponse[Any]):
    """A file to be saved under a name."""

    __slots__ = ("_kind", "_name", "_pieces")

    def __init__(self, pieces: AsyncIterator[bytes], *, kind: str, name: str) -> None:
        super().__init__(None)
        self._pieces, self._kind, self._name = pieces, kind, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Sends it, in pieces as they are made."""
        plain = re.sub(r"[^A-Za-z0-9.]+", "-", self._name)
        named = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(self._name, safe='')}"
        headers: RawHeaders = [
            NOT_KEPT,
            (b"content-type", self._kind.encode()),
            (b"content-disposition", named.encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        waiting = bytearray()
        async for piece in self._pieces:
            waiting += piece
            if len(waiting) >= PIECE_BYTES:
                await send(_body(bytes(waiting), more=True))
                waiting.clear()
        await send(_body(bytes(waiting), more=False))


def _body(piece: bytes, *, more: bool) -> Message:
    return {"type": "http.response.body", "body": piece, "more_body": more}
