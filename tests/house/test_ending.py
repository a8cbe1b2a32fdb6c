"""A real, busy server forgets at once whom another process has signed out."""

from __future__ import annotations

import asyncio
import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commonroom.accounts.secrets import digest
from commonroom.accounts.service import signing_in
from commonroom.accounts.tables import User
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.store import create
from tests.support.server import serving

BEN = User(user_id="ben", display_name="Ben", created_at="2026-05-31T18:00:00.000Z")
TIMES = 40


def status(connection: http.client.HTTPConnection, secret: str) -> int:
    """How the server answers whoever shows this."""
    connection.request("GET", "/api/v1/me", headers={"Cookie": f"session={secret}"})
    response = connection.getresponse()
    response.read()
    return response.status


@contextmanager
def visitors(port: int, secret: str) -> Iterator[None]:
    """Others, who keep the server busy with questions of their own."""
    over = threading.Event()

    def visit() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while not over.is_set():
            status(connection, secret)
        connection.close()

    threads = [threading.Thread(target=visit) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


async def test_whoever_was_signed_out_elsewhere_is_refused_at_once(tmp_path: Path) -> None:
    async with open_store(Settings(data=tmp_path), create=True) as store:
        await store.write(create(BEN))
        busy = await signing_in.open_session(store, time.time(), BEN)
        with serving(tmp_path, COMMONROOM_LOG_LEVEL="warning") as server:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            with visitors(server.port, busy):
                for _ in range(TIMES):
                    secret = await signing_in.open_session(store, time.time(), BEN)
                    for _ in range(2):
                        assert await asyncio.to_thread(status, connection, secret) == 200
                    await signing_in.end_session(store, BEN, digest(secret))
                    assert await asyncio.to_thread(status, connection, secret) == 401
                assert await asyncio.to_thread(status, connection, busy) == 200
            connection.close()
