"""Requests to DynamoDB counted at the wire: a proxy on loopback that passes everything on."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web

HEADERS = ("Authorization", "Content-Type", "X-Amz-Date", "X-Amz-Target", "X-Amz-Security-Token")


class WireCounter:
    """Passes requests on to a DynamoDB and counts them by their action."""

    def __init__(self, target: str, session: aiohttp.ClientSession) -> None:
        self.endpoint = ""
        self.requests: Counter[str] = Counter()
        self._target = target
        self._session = session

    async def pass_on(self, request: web.Request) -> web.Response:
        """One request, and what DynamoDB answers."""
        self.requests[request.headers["X-Amz-Target"].partition(".")[2]] += 1
        headers = {name: request.headers[name] for name in HEADERS if name in request.headers}
        async with self._session.post(
            self._target, data=await request.read(), headers=headers
        ) as response:
            return web.Response(
                status=response.status,
                body=await response.read(),
                content_type=response.content_type,
            )


@asynccontextmanager
async def counting_wire(target: str) -> AsyncIterator[WireCounter]:
    """A counter on a free port of loopback, in front of the endpoint of a DynamoDB."""
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        counter = WireCounter(target, session)
        app = web.Application(client_max_size=2**25)
        app.router.add_post("/", counter.pass_on)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            counter.endpoint = f"http://127.0.0.1:{runner.addresses[0][1]}"
            yield counter
        finally:
            await runner.cleanup()
