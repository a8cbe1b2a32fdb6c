"""The outermost layer: a name for every request, headers that keep browsers safe, one log line."""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable
from typing import Any, cast

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

logger = logging.getLogger("commonroom.requests")

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]

_NAMED = re.compile(rb"[A-Za-z0-9._-]{8,64}")

Observe = Callable[[str, int, float], None]
"""Told of every answer: the method, the status, and how many seconds it took."""


def outer(app: ASGIApp, observe: Observe | None = None, *, secure: bool = False) -> ASGIApp:
    """Wraps the application; `secure` where a proxy in front of it speaks https with browsers."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) != "http":
            await app(scope, receive, send)
            return
        request = cast("HTTPScope", scope)
        if secure:
            request["scheme"] = "https"
        started = time.perf_counter()
        name = _name(request)
        scope.setdefault("state", {})["request_id"] = name.decode()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers: Any = message["headers"]
                message["headers"] = [*headers, *HEADERS, (b"x-request-id", name)]
            await send(message)

        try:
            await app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - started
            if observe is not None:
                observe(request["method"], status, seconds)
            if logger.isEnabledFor(logging.INFO):
                _log(request, name, status, seconds)

    return wrapped


def _name(scope: HTTPScope) -> bytes:
    """The request's own name where it has a sound one, so that logs can be followed; else a new."""
    for header, value in scope["headers"]:
        if header == b"x-request-id" and _NAMED.fullmatch(value):
            return value
    # It only has to differ from the others, so it need not cost a call to the system.
    return b"%016x" % random.getrandbits(64)


def _log(scope: HTTPScope, name: bytes, status: int, seconds: float) -> None:
    # The path without its query: secrets can stand there.
    logger.info(
        "%s %s %s %.1fms %s",
        scope["method"],
        without_secrets(scope["path"]),
        status,
        seconds * 1000,
        name.decode(),
    )


def without_secrets(path: str) -> str:
    """A path with whatever looks like a link's secret left out."""
    return re.sub(r"[A-Za-z0-9_-]{32,}", "…", path)
