"""The port: whether it is free, whether this process listens at it, and what to call it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from commonroom.settings import Settings
from commonroom.store.errors import Unavailable

START_SECONDS = 30.0


def address_of(settings: Settings) -> str:
    """Where a browser on this machine finds it."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"


def check_free(settings: Settings) -> None:
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
    """The sockets of this process that listen at a port."""
    for name in os.listdir("/dev/fd"):  # noqa: PTH208 - no files
        with suppress(OSError), socket.socket(fileno=os.dup(int(name))) as one:
            # It may be no socket, or closed meanwhile.
            listens = one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
            if listens and one.getsockname()[1] == port:
                yield one
