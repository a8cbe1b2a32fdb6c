"""Servers of other people, as small ones on loopback that can misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from aiohttp import web


class Answering(Protocol):
    """What answers every request."""

    closing: asyncio.Event

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answers one."""
        ...


@asynccontextmanager
async def served(stand_in: Answering) -> AsyncIterator[str]:
    """Where a stand-in answers: on a free port of loopback."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", stand_in.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        stand_in.closing.set()
        await runner.cleanup()
