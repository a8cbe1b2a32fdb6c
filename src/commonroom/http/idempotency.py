"""Idempotency: a POST with an `Idempotency-Key` is done once, and answered again as it was."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from math import ceil

from commonroom.errors import BadRequest, RateLimited
from commonroom.http.asgi import Message, Send
from commonroom.http.headers import headers_in
from commonroom.http.idempotency_store import IdempotentRequest, RecordedResponse, begin
from commonroom.http.request import Request
from commonroom.rate_limits import Rate, RateLimiter, network_of
from commonroom.store import Store, StoreError, marking

logger = logging.getLogger(__name__)

HEADER = "idempotency-key"
MAX_KEY = 255
GUEST_RATE = Rate(burst=60, per_minute=60)
"""Of requests without an account from one network: each key is written down beforehand."""
GUEST_ROOM = Rate(burst=32_000_000, per_minute=22_000)
"""Bytes of what all guests were answered, at most 64 MB in the day that it is kept.

Their pages have a limit of their own, but a guest who makes and deletes pages stays below that.
"""


async def once(
    request: Request, respond: Callable[[Request, Send], Awaitable[None]], send: Send
) -> None:
    """Answers a request of a caller who may ask, so that one with a key happens once."""
    keys = headers_in(request.scope, HEADER)
    if not keys:
        await respond(request, send)
        return
    _check_rate(request)
    idempotent = IdempotentRequest.of(request, _key(keys), await request.body())
    now = time.time()
    before = await begin(request.store, now, idempotent)
    if before is not None:
        await _send(before, send, replayed=True)
        return
    recorder = _Recorder()
    with marking(idempotent.completion_mark(now)):
        await respond(request, recorder)
    await _remember(request, now, idempotent, recorder.answer)
    await _send(recorder.answer, send)


def _key(keys: list[str]) -> str:
    key = keys[0].strip()
    if len(keys) > 1 or not 1 <= len(key) <= MAX_KEY or not key.isprintable():
        raise BadRequest(
            f"An Idempotency-Key must be one value of 1 to {MAX_KEY} characters.",
            field="Idempotency-Key",
        )
    return key


def _check_rate(request: Request) -> None:
    """Slows a guest down whose keys would have to be written down faster than anybody asks."""
    if request.caller.account is not None:
        return
    wait = _limiter(request, "guest_keys", GUEST_RATE).take(network_of(request.client_address))
    if wait:
        raise RateLimited(ceil(wait))


def _has_room(request: Request, answer: RecordedResponse) -> bool:
    return not _limiter(request, "guest_answers", GUEST_ROOM).take("all", len(answer.body))


def _limiter(request: Request, name: str, rate: Rate) -> RateLimiter:
    """Returns what this process counts under a name; made when it is first needed."""
    state = request.app.state
    limiter: RateLimiter | None = state.get(name)
    if limiter is None:
        limiter = state[name] = RateLimiter(rate)
    return limiter


async def _remember(
    request: Request, now: float, idempotent: IdempotentRequest, answer: RecordedResponse
) -> None:
    store: Store = request.store
    try:
        if not idempotent.is_worth_keeping(answer.status):
            await idempotent.forget(store, answer.status)
        else:
            has_room = not idempotent.is_guest or _has_room(request, answer)
            await idempotent.keep(store, now, answer, with_body=has_room)
    except StoreError:
        # It was done, which its own write says; the caller is told that and no more.
        logger.exception("An answer could not be remembered")


class _Recorder:
    """Takes an answer instead of the caller, so that it is remembered before it is given."""

    def __init__(self) -> None:
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = list(message["headers"])
        elif message["type"] == "http.response.body":
            self.body += message["body"]

    @property
    def answer(self) -> RecordedResponse:
        """All of it."""
        return RecordedResponse(self.status, self.headers, self.body)


async def _send(answer: RecordedResponse, send: Send, *, replayed: bool = False) -> None:
    marked = [(b"idempotency-replayed", b"true")] if replayed else []
    headers = [*answer.headers, *marked]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})
