"""Asking twice, doing once: a POST with an `Idempotency-Key` is answered again as it was."""

from __future__ import annotations

import logging
import time

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from commonroom.store import Store, StoreError
from commonroom.web.access import check_access
from commonroom.web.api_requests import ApiRequest
from commonroom.web.errors import Malformed
from commonroom.web.headers import headers_in
from commonroom.web.remembering import Recorded, Remembered, begin

logger = logging.getLogger(__name__)

HEADER = "idempotency-key"
LONGEST_KEY = 255

# Nothing was done, so the same request may well succeed later: it was not understood, not let in,
# told to wait, or it met a fault of ours.
NOT_REMEMBERED = frozenset({400, 401, 413, 415, 429})


def once(app: ASGIApp) -> ASGIApp:
    """Wraps an operation, so that a request with a key happens once."""

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        keys = headers_in(scope, HEADER)
        if not keys:
            await app(scope, receive, send)
            return
        request = ApiRequest(scope, receive, send)
        # Who may not ask learns nothing of what was answered; the guard that follows knows then.
        await check_access(request, request.route_handler)
        remembered = Remembered.of(request, _key(keys), await request.body())
        now = time.time()
        before = await begin(request.store, now, remembered)
        if before is not None:
            await _send(before, send, replayed=True)
            return
        recorder = _Recorder()
        await app(scope, receive, recorder)
        await _remember(request.store, now, remembered, recorder.answer)
        await _send(recorder.answer, send)

    return asked


def _key(keys: list[str]) -> str:
    key = keys[0].strip()
    if len(keys) > 1 or not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise Malformed(
            f"An Idempotency-Key is one text of 1 to {LONGEST_KEY} characters.",
            field="Idempotency-Key",
        )
    return key


async def _remember(store: Store, now: float, remembered: Remembered, answer: Recorded) -> None:
    try:
        if answer.status >= 500 or answer.status in NOT_REMEMBERED:
            await remembered.forget(store)
        else:
            await remembered.keep(store, now, answer)
    except StoreError:
        # It was done; whoever asks again is told to wait until the reservation has run out.
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
    def answer(self) -> Recorded:
        """All of it."""
        return Recorded(self.status, self.headers, self.body)


async def _send(answer: Recorded, send: Send, *, replayed: bool = False) -> None:
    marked = [(b"idempotency-replayed", b"true")] if replayed else []
    headers = [*answer.headers, *marked]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})
