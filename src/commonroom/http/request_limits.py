"""Request limits: how long a request may take to arrive, and how much is worked on at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from commonroom.errors import (
    HeadTooLarge,
    Overloaded,
    ProcessorTimeUsed,
    RequestTimeout,
    TooManyRequests,
)
from commonroom.http.asgi import ASGIApp, Message, Receive, Send
from commonroom.http.client_address import address_in
from commonroom.http.headers import EVENT_STREAM, header_in
from commonroom.http.processor_time import ProcessorBudget, run_metered
from commonroom.rate_limits import network_of
from commonroom.settings import Settings

MIN_BYTES_PER_SECOND = 8000
"""What a long body must bring, on the whole; its first seconds count for nothing."""
SHARE = 10
"""One address may have a tenth of all that is worked on."""
WHOLE_PROCESSOR = 100
MAX_HEAD = 64 * 1024
"""The most bytes of a request's head, and of what a connection holds in memory for one."""
ALWAYS = "/health/"
"""What is answered however busy it is."""

_network = lru_cache(maxsize=4096)(network_of)


class Slots:
    """How many of something there may be at a time in one process, in all and for each key.

    A key that holds nothing is not remembered.
    """

    def __init__(self, most: int) -> None:
        self.taken = 0
        self._most = most
        self._by_key: dict[Hashable, int] = {}

    def take(self, shares: Mapping[Hashable, int]) -> None:
        """Takes one for all of these keys; refused where one of them has its share already."""
        for key, share in shares.items():
            if self._by_key.get(key, 0) >= share:
                raise TooManyRequests
        if self.taken >= self._most:
            raise Overloaded
        self.taken += 1
        for key in shares:
            self._by_key[key] = self._by_key.get(key, 0) + 1

    def free(self, shares: Mapping[Hashable, int]) -> None:
        """Releases what was taken."""
        self.taken -= 1
        for key in shares:
            left = self._by_key[key] - 1
            if left:
                self._by_key[key] = left
            else:
                del self._by_key[key]


def limit_requests(app: ASGIApp, settings: Settings) -> ASGIApp:
    """Wraps the application so that requests arrive in time, and not too many at a time."""
    slots = Slots(settings.most_requests)
    share = max(1, settings.most_requests // SHARE)
    budget = _budget_of(settings)

    async def limited(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _head_bytes(scope) > MAX_HEAD:
            await _refuse(scope, send, HeadTooLarge())
            return
        if scope["type"] != "http" or scope["path"].startswith(ALWAYS):
            await app(scope, receive, send)
            return
        network = _network(address_in(scope, settings))
        place = RequestSlot(slots, {network: share})
        try:
            if _has_body(scope):
                receive = TimedBody(receive, place, settings.request_timeout).receive
            else:
                place.take()
            sending = place.freed_by_streams(send)
            if budget is None:
                await app(scope, receive, sending)
                return
            meter = budget.meter(scope, network)
            if meter.allowance.left <= 0:
                await budget.admit(meter, scope, network)
            await run_metered(app(scope, receive, sending), meter)
        except (Overloaded, TooManyRequests, ProcessorTimeUsed) as refusal:
            await _refuse(scope, send, refusal)
        finally:
            place.free()

    return limited


def _budget_of(settings: Settings) -> ProcessorBudget | None:
    share = settings.processor_share
    return None if share == WHOLE_PROCESSOR else ProcessorBudget(share / WHOLE_PROCESSOR)


class RequestSlot:
    """A request's place among those that are worked on, from when all of it has arrived."""

    __slots__ = ("_is_taken", "_shares", "_slots")

    def __init__(self, slots: Slots, shares: dict[Hashable, int]) -> None:
        self._slots, self._shares = slots, shares
        self._is_taken = False

    def take(self) -> None:
        """Takes the place, once; refused where there is none."""
        if not self._is_taken:
            self._slots.take(self._shares)
            self._is_taken = True

    def free(self) -> None:
        """Releases it."""
        if self._is_taken:
            self._slots.free(self._shares)
            self._is_taken = False

    def freed_by_streams(self, send: Send) -> Send:
        """Sends; an answer that lasts as long as its page is open is no work in progress."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and EVENT_STREAM in message["headers"]:
                self.free()
            await send(message)

        return sending


class TimedBody:
    """A request's body, which must arrive in time: each part of it, and the whole."""

    def __init__(self, receive: Receive, place: RequestSlot, seconds: float) -> None:
        self._receive, self._place, self._seconds = receive, place, seconds
        self._clock = asyncio.get_running_loop().time
        self._until = self._clock() + seconds
        self._has_arrived = False

    async def receive(self) -> Message:
        """Returns the next part; once all of it is there, whatever comes after it."""
        if self._has_arrived:
            return await self._receive()
        try:
            async with asyncio.timeout(min(self._seconds, self._until - self._clock())):
                message = await self._receive()
        except TimeoutError:
            raise RequestTimeout from None
        if message["type"] == "http.request":
            self._until += len(message["body"]) / MIN_BYTES_PER_SECOND
            self._has_arrived = not message["more_body"]
        if self._has_arrived:
            self._place.take()
        return message


def _has_body(scope: Any) -> bool:
    length = header_in(scope, "content-length")
    return length not in (None, "0") or header_in(scope, "transfer-encoding") is not None


def _head_bytes(scope: Any) -> int:
    """How long a request's head is: the server bounds what it reads at once, not all of it."""
    address = len(scope["path"]) + len(scope["query_string"])
    return address + sum(len(name) + len(value) for name, value in scope["headers"])


async def _refuse(
    scope: Any,
    send: Send,
    refusal: Overloaded | TooManyRequests | ProcessorTimeUsed | HeadTooLarge,
) -> None:
    """Refuses in a few words: a server too busy to work is too busy to lay out a page."""
    if "text/html" in (header_in(scope, "accept") or ""):
        kind, body = b"text/plain; charset=utf-8", refusal.detail.encode()
    else:
        problem = {"type": "about:blank", "title": refusal.title, "status": refusal.status}
        kind = b"application/problem+json"
        body = msgspec.json.encode(problem | {"detail": refusal.detail})
    again = (
        (b"connection", b"close")
        if isinstance(refusal, HeadTooLarge)
        else (b"retry-after", b"%d" % refusal.retry_after)
    )
    headers = [(b"content-type", kind), again, (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
