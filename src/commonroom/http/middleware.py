"""Middleware: request ids, security headers, one log line, and HEAD."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

from commonroom.http.address_secrets import SecretPaths
from commonroom.http.application import App
from commonroom.http.asgi import ASGIApp, Message, Receive, Scope, Send
from commonroom.http.client_address import came_by_https
from commonroom.http.csrf import SAFE
from commonroom.http.headers import header_in
from commonroom.logs import REQUESTS
from commonroom.settings.addresses import Network
from commonroom.store.damage import tolerating_damage

logger = logging.getLogger(REQUESTS)

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
FEATURES = "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()"
"""What pages may ask a device for: the camera alone, which reads the ISBN of a book."""
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", FEATURES.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
"""For this name alone: what else is below it, such as a printer, is not ours to speak for."""
NOT_KEPT = (b"cache-control", b"no-store")
"""For an answer that does not say itself whether it may be kept."""
DAMAGED_ITEMS = b"damaged-items"
"""The header that says how many items an answer lacks because they cannot be decoded."""
MAX_PATH = 300
MAX_METHOD = 20
"""Characters in the log: anybody can make up what they ask for, and how."""

_NAMED = re.compile(r"[A-Za-z0-9._-]{8,64}")

Observe = Callable[[str, int, float], None]
"""Told of every answer: the method, the status, and how many seconds it took."""


def wrap_app(
    app: ASGIApp,
    observe: Observe | None = None,
    *,
    secure: bool = False,
    proxies: Sequence[Network] = (),
    routes: App | None = None,
) -> ASGIApp:
    """Wraps the application; `routes` says which paths hold secrets.

    A request is https where its public address is (`secure`), or where a proxy that is trusted
    says so of this one.
    """
    added = [*HEADERS, STRICT_TRANSPORT] if secure else HEADERS
    hide = SecretPaths(()).hide if routes is None else routes.secret_paths.hide

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        if secure or (proxies and came_by_https(scope, proxies)):
            scope["scheme"] = "https"
        damaged: Sequence[object] = ()
        started = time.perf_counter()
        name = _name(scope)
        scope.setdefault("state", {})["request_id"] = name.decode()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = _own_headers(scope["scheme"], message["headers"])
                left_out = [(DAMAGED_ITEMS, b"%d" % len(damaged))] if damaged else ()
                message["headers"] = [*headers, *added, *left_out, (b"x-request-id", name)]
            await send(message)

        try:
            if scope["method"] in SAFE:  # what only looks shows the rest; what acts needs it all
                with tolerating_damage() as damaged:
                    await app(scope, receive, sending)
            else:
                await app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - started
            if observe is not None:
                observe(scope["method"], status, seconds)
            if logger.isEnabledFor(logging.INFO):
                _log(scope, hide(scope["path"]), name, status, seconds)

    return wrapped


def _own_headers(scheme: str, headers: Any) -> Any:
    """An answer's own headers; one that does not say itself whether it may be kept is not."""
    if scheme == "https":
        headers = [_secured(*header) for header in headers]
    is_said = b"cache-control" in [name for name, _ in headers]
    return headers if is_said else [*headers, NOT_KEPT]


def _secured(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Returns the header as it is; a cookie that came by https never goes by anything else."""
    if name != b"set-cookie" or b"; secure" in value.lower():
        return name, value
    return name, value + b"; Secure"


def _name(scope: Scope) -> bytes:
    """The request's own name where it has a sound one, so that logs can be followed; else a new."""
    name = header_in(scope, "x-request-id")
    if name is not None and _NAMED.fullmatch(name):
        return name.encode()
    # It only has to differ from the others, so it need not cost a call to the system.
    return b"%016x" % random.getrandbits(64)


def _log(scope: Scope, path: str, name: bytes, status: int, seconds: float) -> None:
    # The path without its query: secrets can stand there, too.
    logger.info(
        "%s %s %s %.1fms %s",
        scope["method"][:MAX_METHOD],
        path if len(path) <= MAX_PATH else f"{path[:MAX_PATH]}…",
        status,
        seconds * 1000,
        name.decode(),
    )


def answer_heads(app: ASGIApp) -> ASGIApp:
    """Wraps the application, which never sees a HEAD request."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        # A connection of another kind has no method.
        if scope.get("method") == "HEAD":
            await _without_body(app, {**scope, "method": "GET"}, send)
        else:
            await app(scope, receive, send)

    return wrapped


async def _without_body(app: ASGIApp, scope: Scope, send: Send) -> None:
    response_is_over = asyncio.Event()
    parts: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receiving() -> Message:
        """Nothing; and that nobody listens any more, so that a stream of events ends, too."""
        if parts:
            return parts.pop()
        await response_is_over.wait()
        return {"type": "http.disconnect"}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
        elif not response_is_over.is_set():
            response_is_over.set()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    await app(scope, receiving, sending)
