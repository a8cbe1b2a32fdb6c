"""Serves the application at its port, in this process, until it is told to stop."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from stat import S_ISSOCK
from typing import TypeAlias

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from commonroom.accounts.signup import setup_path
from commonroom.house.app import create_app
from commonroom.house.running import housekeeping, upgrading
from commonroom.house.search import following_index
from commonroom.house.secrets_in_use import noting_secrets
from commonroom.http.asgi import ASGIApp
from commonroom.http.connections import make_room_for_connections
from commonroom.http.live_topics import Live, LiveLimits
from commonroom.http.metrics import Metrics
from commonroom.http.request_limits import MAX_HEAD
from commonroom.logs import configure_logging, flush_log
from commonroom.metering import MeteredThreads, create_metered_task
from commonroom.open_store import make_data_folder, open_store, require_tables
from commonroom.settings import Settings, secrets_of
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from commonroom.store.identity import identify
from commonroom.store.streams import LoopShare
from commonroom.store.streams.workers import NO_WORKER, has_worker

logger = logging.getLogger(__name__)

START_SECONDS = 30.0
PATIENCE_SECONDS = 5.0
"""How long what was begun may take once it is told to stop: most who stop it kill it after ten."""
BACKLOG = 2048
"""How many connections wait in the system until they are taken; it may allow fewer."""

SERVER_LOG = {
    "formatters": {},
    "handlers": {},
    "loggers": {"_granian": {"handlers": [], "propagate": True}},
}
"""Granian's own messages go the way of all others, so that each is one line."""


Ready: TypeAlias = Callable[[str, str | None], None]
"""Told once it answers: where, and the page that makes the first account while there is none."""


async def serve(settings: Settings, ready: Ready) -> None:
    """Serves in this process alone."""
    configure_logging(settings.log_level)
    check_free(settings)
    await answer(settings, lambda path: ready(settings.local_address, path), Metrics())


async def answer(settings: Settings, ready: Callable[[str | None], None], counted: Metrics) -> None:
    """Opens the store and answers requests; `ready` is called once this process listens."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(MeteredThreads())
    loop.set_task_factory(create_metered_task)
    make_data_folder(settings)
    cursor_key = secrets_of(settings).derived("cursors")
    async with open_store(settings, create=True, cursor_key=cursor_key) as store:
        await require_tables(store)
        await identify(store)
        first_visit = await setup_path(store, settings)
        if not await has_worker(store, time.time()):
            logger.warning(NO_WORKER)
        live = Live(store, LiveLimits.of(settings))
        server = web_server(create_app(store, settings, live, counted), settings)
        async with (
            noting_secrets(store, settings),
            following_index(store, settings),
            _housekeeping(store, settings),
            upgrading(store),
        ):
            serving = asyncio.create_task(server.serve())
            _stop_when_told(server, live, serving)
            await until_listening(settings.port, serving)
            end_stalled(settings.port, settings.request_timeout)
            if not serving.done():
                ready(first_visit)
            collect_garbage()
            await asyncio.wait([serving])
        flush_log()
        failure = None if serving.cancelled() else serving.exception()
        if failure is not None or not server.interrupt_signal:
            why = failure or "its last messages say why"
            raise Unavailable(f"The web server ended by itself: {why}.") from failure


def collect_garbage() -> None:
    """Lets Python collect garbage from now on, and never look at what was loaded before."""
    gc.freeze()
    gc.enable()


def web_server(app: ASGIApp, settings: Settings) -> Server:
    """Returns the server, which holds many connections and lets go of those that stay silent."""
    return Server(
        app,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        # Where it would speak HTTP/2 as well, it waits for a first byte without end to find out
        # which of them it is; browsers and proxies speak HTTP/1.1 where there is no TLS.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=settings.request_timeout * 1000, max_buffer_size=MAX_HEAD
        ),
        websockets=False,
        backlog=BACKLOG,
        backpressure=make_room_for_connections(settings),
        # Its own messages tell nothing that ours do not.
        log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.error,
        log_dictconfig=SERVER_LOG,
    )


@asynccontextmanager
async def _housekeeping(store: Store, settings: Settings) -> AsyncIterator[None]:
    """Keeps house beside the server, where the data is in one file.

    On DynamoDB many servers share the data; `commonroom worker` then does it apart.
    """
    if store.engine.name != "embedded":
        yield
        return
    async with housekeeping(store, settings, share=LoopShare()):
        yield


def _stop_when_told(server: Server, live: Live, serving: asyncio.Task[None]) -> None:
    """Stops at a signal, or where the process that started this one is no more."""
    loop = asyncio.get_running_loop()
    parent = multiprocessing.parent_process()

    def stop() -> None:
        if parent is not None:
            loop.remove_reader(parent.sentinel)
        live.close()  # streams would go on for minutes; what else was begun is finished
        server.stop()  # type: ignore[no-untyped-call] # Granian does not say
        loop.call_later(PATIENCE_SECONDS, serving.cancel)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    if parent is not None:
        loop.add_reader(parent.sentinel, stop)


def check_free(settings: Settings) -> None:
    """Refuses a port in use: Granian would share it with others; we want it for ourselves."""
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


async def until_listening(port: int, serving: asyncio.Task[None]) -> None:
    """Waits until this very process listens; another may answer at the same port already."""
    until = time.monotonic() + START_SECONDS
    while not serving.done() and not any(_listening(port)):
        if time.monotonic() > until:
            raise Unavailable(f"The web server does not listen after {START_SECONDS:.0f} seconds.")
        await asyncio.sleep(0.01)


def end_stalled(port: int, seconds: int) -> None:
    """Lets the system end connections whose other end takes nothing of an answer for so long.

    Every connection inherits this. Where a system cannot, a proxy in front has to.
    """
    if sys.platform == "linux":
        for one in _listening(port):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)


def _listening(port: int) -> Iterator[socket.socket]:
    """Yields the sockets of this process that listen at a port."""
    for name in os.listdir("/dev/fd"):  # noqa: PTH208 - no files
        with suppress(OSError), _copied_socket(int(name)) as one:
            # It may be no socket, or closed meanwhile.
            listens = one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
            if listens and one.getsockname()[1] == port:
                yield one


def _copied_socket(number: int) -> socket.socket:
    """Returns a socket of its own for a descriptor; OSError where that is none.

    Nothing else is copied: a copy of a file's descriptor would go on holding the file's lock.
    """
    if not S_ISSOCK(os.fstat(number).st_mode):
        raise OSError(errno.ENOTSOCK, os.strerror(errno.ENOTSOCK))
    copied = os.dup(number)
    try:
        return socket.socket(fileno=copied)
    except OSError:  # another took its number in between
        os.close(copied)
        raise
