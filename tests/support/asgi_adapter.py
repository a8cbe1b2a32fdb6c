"""An application in this process for libraries that send by `requests`: without sockets."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlsplit

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3 import HTTPHeaderDict, HTTPResponse

from commonroom.http.asgi import ASGIApp


class AsgiAdapter(HTTPAdapter):
    """Gives requests to an application, on a loop that runs for as long as each of them takes."""

    def __init__(self, app: ASGIApp, loop: asyncio.Runner) -> None:
        super().__init__()
        self._app, self._loop = app, loop

    def send(self, request: PreparedRequest, *_: Any, **__: Any) -> Response:
        """Returns what the application answers."""
        return self.build_response(request, self._loop.run(self._answer(request)))

    async def _answer(self, request: PreparedRequest) -> HTTPResponse:
        body = request.body or b""
        whole = body.encode() if isinstance(body, str) else body
        sent = [{"type": "http.request", "body": whole, "more_body": False}]
        begun: dict[str, Any] = {}
        parts: list[bytes] = []

        async def receive() -> Any:
            return sent.pop() if sent else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                begun.update(message)
            else:
                parts.append(message.get("body", b""))

        scope: Any = _scope(request)
        await self._app(scope, receive, send)
        headers = HTTPHeaderDict()
        for name, value in begun["headers"]:
            headers.add(name.decode("latin-1"), value.decode("latin-1"))
        return HTTPResponse(
            BytesIO(b"".join(parts)),
            headers,
            begun["status"],
            version=11,
            preload_content=False,
            request_method=request.method,
        )


def _scope(request: PreparedRequest) -> dict[str, Any]:
    assert request.url is not None
    where = urlsplit(request.url)
    headers = [(b"host", where.netloc.encode())]
    headers += [(_bytes(name).lower(), _bytes(value)) for name, value in request.headers.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": where.scheme,
        "path": unquote(where.path),
        "raw_path": where.path.encode(),
        "query_string": where.query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": (where.hostname, where.port or 80),
    }


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("latin-1")
