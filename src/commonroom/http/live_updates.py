"""Live updates: server-sent events by which an open page hears that its thing has changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from functools import partial

from commonroom.errors import CommonroomError
from commonroom.http.access import check_access
from commonroom.http.asgi import Receive, Scope, Send
from commonroom.http.authentication import caller_of
from commonroom.http.headers import EVENT_STREAM
from commonroom.http.live_topics import Live, Over, Version
from commonroom.http.request import Request
from commonroom.store import StoreError

StillMay = Callable[[Request], Awaitable[bool]]
"""Asks the room anew whether a caller may listen; a refusal may also be raised."""

RETRY_MILLISECONDS = 3000
"""How soon a browser comes back when the connection ends, as it does now and then."""
HEADERS = [
    EVENT_STREAM,
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class LiveUpdates:
    """A stream of a thing's versions.

    It says only that something changed. The page then fetches what it shows, and is asked again
    who it is for. The stream ends soon after the listener may no longer see the thing.
    """

    def __init__(self, topic: str, read: Version, still_may: StillMay | None = None) -> None:
        self._topic, self._read, self._still_may = topic, read, still_may

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tells of changes until the page is left, or may no longer be seen."""
        request = Request(scope)
        live: Live = request.app.state.live
        account = (await caller_of(request, time.time())).account
        account_id = None if account is None else account.user_id
        with live.slot(request.client_address, account_id):
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            telling = asyncio.create_task(self._tell(request, live, send))
            leaving = asyncio.create_task(_left(receive))
            try:
                await asyncio.wait((telling, leaving), return_when=asyncio.FIRST_COMPLETED)
                if telling.done():
                    telling.result()
            finally:
                telling.cancel()
                leaving.cancel()
                await asyncio.gather(telling, leaving, return_exceptions=True)

    async def _tell(self, request: Request, live: Live, send: Send) -> None:
        await _send(send, b"retry: %d\n\n" % RETRY_MILLISECONDS)
        may = partial(self._may, request)
        async with aclosing(live.follow(self._topic, self._read, may)) as versions:
            async for version in versions:
                await _send(send, _message(version))
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _may(self, request: Request) -> bool:
        """Whether who asked then would be let in now: the guard is asked, and then the room."""
        request.start_anew()
        try:
            await check_access(request, fresh=True)
            return self._still_may is None or await self._still_may(request)
        except StoreError:
            raise
        except CommonroomError:
            return False


async def _left(receive: Receive) -> None:
    """Waits until nobody listens any more."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _message(version: str | Over | None) -> bytes:
    if version is None:
        return b": still here\n\n"
    if isinstance(version, Over):
        return b"event: over\ndata: over\n\n"
    return b"event: version\ndata: %b\n\n" % version.encode()


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})
