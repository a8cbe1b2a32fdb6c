"""Requests in this process: what building the application costs, and each request on its way."""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec import Struct

from benchmarks.report import Comparison, limited
from commonroom.accounts.service import sessions, signup
from commonroom.house.app import routes, with_middleware
from commonroom.http.asgi import ASGIApp, Message, Scope
from commonroom.http.live_topics import Live
from commonroom.http.metrics import Metrics
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine

ROUNDS, CALLS = 9, 400
MAX_BUILDING = 60
HOST = b"127.0.0.1"
FORM = b"application/x-www-form-urlencoded"


class Asked(Struct, frozen=True):
    """A request, what it is answered, and what it may cost."""

    name: str
    method: str
    path: str
    status: int
    most: float
    """Microseconds."""
    sentence: str
    kind: bytes = b""
    body: bytes = b""


ASKED = (
    Asked("a read of one thing", "GET", "/api/v1/me", 200, 28, "A person reads their account."),
    Asked(
        "a change that is refused",
        "PATCH",
        "/api/v1/me",
        400,
        50,
        "A person sends a field that there is not.",
        b"application/json",
        b'{"nothing": 7}',
    ),
    Asked(
        "a form that is done",
        "POST",
        "/theme",
        303,
        60,
        "A person wants it dark; nothing is stored.",
        FORM,
        b"theme=dark",
    ),
    Asked(
        "a form that cannot be read",
        "POST",
        "/library",
        400,
        160,
        "A form has a field too many; the answer is a page.",
        FORM,
        b"nothing=",
    ),
)


async def compare(folder: Path) -> list[Comparison]:
    """Processor time of building all routes, and of requests with all that stands before them."""
    settings = Settings(data=folder, log_level="error")
    store = Store(EmbeddedEngine(folder / "requests.db", MODEL.tables, durability="OFF"))
    try:
        seconds = []
        for _ in range(ROUNDS):
            began = time.process_time()
            app = routes(store, settings, Live(store), Metrics())
            seconds.append(time.process_time() - began)
        sentence = "All routes of all rooms are put together; the first time is in the start."
        rows = [
            limited(
                "building the application",
                "ms",
                min(seconds) * 1000,
                MAX_BUILDING,
                ROUNDS,
                sentence=sentence,
            )
        ]
        cookie = await _somebody(store)
        whole = with_middleware(app, settings, Metrics())
        return rows + [await _measure(whole, cookie, one) for one in ASKED]
    finally:
        await store.close()


async def _somebody(store: Store) -> bytes:
    new = signup.NewAccount("ada@example.org", "Ada", "a lamp in the hall")
    ada = await signup.set_up(store, time.time(), new)
    return b"session=" + (await sessions.open_session(store, time.time(), ada)).encode()


async def _measure(app: ASGIApp, cookie: bytes, asked: Asked) -> Comparison:
    ask = _asking(app, cookie, asked)
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    best = float("inf")
    try:
        for _ in range(ROUNDS):
            gc.collect()
            began = time.process_time()
            for _ in range(CALLS):
                await ask()
            best = min(best, (time.process_time() - began) / CALLS)
    finally:
        logging.disable(level)
    return limited(asked.name, "µs/call", best * 1e6, asked.most, ROUNDS, sentence=asked.sentence)


def _asking(app: ASGIApp, cookie: bytes, asked: Asked) -> Callable[[], Awaitable[None]]:
    headers = [(b"host", HOST), (b"cookie", cookie), (b"accept", b"text/html")]
    if asked.body:
        length = b"%d" % len(asked.body)
        headers += [(b"content-type", asked.kind), (b"content-length", length)]

    async def receive() -> Message:
        return {"type": "http.request", "body": asked.body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            assert message["status"] == asked.status, message

    async def ask() -> None:
        scope: Scope = {
            "type": "http",
            "method": asked.method,
            "scheme": "http",
            "path": asked.path,
            "query_string": b"",
            "headers": list(headers),
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8400),
        }
        await app(scope, receive, send)

    return ask
