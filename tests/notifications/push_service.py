"""A push service on loopback: it takes what it is sent, or misbehaves as it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from msgspec import Struct

HANG = 0
"""Instead of a status: it never answers."""


class Delivered(Struct):
    """What was sent to one browser."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """What it was sent, and what it answers; by path where that differs."""

    def __init__(self) -> None:
        self.address = ""
        self.status = 201
        self.statuses: dict[str, int] = {}
        self.delivered: list[Delivered] = []

    def endpoint(self, name: str) -> str:
        """The address of a browser here."""
        return f"{self.address}/{name}"

    def to(self, name: str) -> list[Delivered]:
        """What was sent to a browser."""
        return [one for one in self.delivered if one.path == f"/{name}"]

    async def take(self, request: web.Request) -> web.Response:
        """Takes a message, however it then answers."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.delivered.append(Delivered(request.path, headers, await request.read()))
        status = self.statuses.get(request.path[1:], self.status)
        if status == HANG:
            await asyncio.Event().wait()
        return web.Response(status=status)


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """A push service for a while."""
    service = PushService()
    app = web.Application()
    app.router.add_post("/{name}", service.take)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0]
    service.address = f"http://{host}:{port}"
    try:
        yield service
    finally:
        await runner.cleanup()
