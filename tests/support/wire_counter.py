"""A proxy before DynamoDB Local that counts what really goes over the wire, by action."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web

from tests.support.stand_in_server import served

PASSED_ON = ("Authorization", "Content-Type", "X-Amz-Date", "X-Amz-Target")


class WireCounter:
    """Passes every request on, and counts it."""

    def __init__(self, endpoint: str, client: aiohttp.ClientSession) -> None:
        self.actions: Counter[str] = Counter()
        self.closing = asyncio.Event()
        self._endpoint, self._client = endpoint, client

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Passes one request on."""
        self.actions[request.headers["X-Amz-Target"].partition(".")[2]] += 1
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        async with self._client.post(
            self._endpoint, headers=headers, data=await request.read()
        ) as given:
            body = await given.read()
            return web.Response(status=given.status, body=body, content_type=given.content_type)

    def take(self) -> Counter[str]:
        """What went over the wire since this was last asked for."""
        taken, self.actions = self.actions, Counter()
        return taken


@asynccontextmanager
async def counting_wire(endpoint: str) -> AsyncIterator[tuple[WireCounter, str]]:
    """A counter before a DynamoDB, and where it answers."""
    async with aiohttp.ClientSession() as client:
        counter = WireCounter(endpoint, client)
        async with served(counter) as address:
            yield counter, address
