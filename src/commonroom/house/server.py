"""Serves the application in this process until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

from commonroom.house.app import create_app
from commonroom.house.consumers import consumers
from commonroom.model import MODEL
from commonroom.opening import make_data_folder, opened, require_tables
from commonroom.settings import Settings, secrets_of
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Worker
from commonroom.web.live import Live

START_SECONDS = 30.0


async def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Opens the store and serves; `ready` is given the address once it answers."""
    logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(message)s")
    make_data_folder(settings)
    cursor_key = secrets_of(settings).derived("cursors")
    async with opened(settings, create=True, cursor_key=cursor_key) as store:
        await require_tables(store, MODEL.tables)
        _check_free(settings)
        live = Live(store)
        server = Server(
            create_app(store, settings, live),
            address=settings.host,
            port=settings.port,
            interface=Interfaces.ASGI,
            # Its own messages tell nothing that ours do not.
            log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.error,
        )
        _stop_on_signals(server)
        async with _following_changes(store):
            serving = asyncio.create_task(server.serve())
            await _until_it_answers(settings, serving)
            ready(_address(settings))
            await serving
            live.close()
        if not server.interrupt_signal:
            raise Unavailable("The web server ended by itself; its last messages say why.")


@asynccontextmanager
async def _following_changes(store: Store) -> AsyncIterator[None]:
    """Runs the consumers and the sweeper beside the server, where the data is in one file.

    On DynamoDB many servers share the data; `commonroom worker` then runs them apart.
    """
    if store.engine.name != "embedded":
        yield
        return
    worker = Worker(store, consumers())
    working = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        worker.stop()
        await working


def _stop_on_signals(server: Server) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.stop)


def _check_free(settings: Settings) -> None:
    """Granian shares a port with whoever else shares it; we want it for ourselves."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((settings.host, settings.port))
        except OSError as error:
            raise Unavailable(
                f"Commonroom cannot listen at {settings.host}, port {settings.port}: "
                f"{error.strerror}. Choose another with --host and --port."
            ) from error


async def _until_it_answers(settings: Settings, serving: asyncio.Task[None]) -> None:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - not bound here
    async with asyncio.timeout(START_SECONDS):
        while not serving.done():
            try:
                _, writer = await asyncio.open_connection(host, settings.port)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                return


def _address(settings: Settings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"
