"""Processes that send one request to the house each, and are killed after one of its writes.

Run as `python -m tests.http.api.killed_at FILE`: for each line of input, a number of writes and a
request, it forks a process, and says whether that was killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from httpx import ASGITransport, AsyncClient, Response

from commonroom.house.rooms import ROOMS
from commonroom.model import model_of
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import WriteOperation
from tests.support.application import application_without_store, whole_application
from tests.support.first_account import SECRET_KEY

HOST = "commonroom.test"
TABLES = model_of(ROOMS).tables


class Sent(msgspec.Struct, frozen=True):
    """A POST with an idempotency key."""

    path: str
    body: dict[str, object]
    headers: dict[str, str]

    async def to(self, store: Store) -> Response:
        """What the house answers to it."""
        app = whole_application(store, Settings(secret_key=SECRET_KEY, hosts=HOST))
        transport = ASGITransport(app)
        async with AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.post(self.path, json=self.body, headers=self.headers)


class KilledEngine(EmbeddedEngine):
    """Ends its process at one of its writes, as `kill -9` does."""

    writes_left = 0

    async def write(self, operations: Sequence[WriteOperation]) -> None:
        """Writes, and nothing else after so many writes."""
        await super().write(operations)
        self.writes_left -= 1
        if self.writes_left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


async def send(path: Path, writes: int, sent: Sent) -> None:
    """Sends the request; gets to its end only where it makes fewer writes."""
    engine = KilledEngine(path, TABLES)
    engine.writes_left = writes
    await sent.to(Store(engine))
    await engine.close()


def main(path: Path) -> None:
    """Everything is loaded once, and nothing is open yet where a process forks."""
    application_without_store()
    for line in sys.stdin:
        writes, request = line.split(" ", 1)
        child = os.fork()
        if child == 0:
            asyncio.run(send(path, int(writes), msgspec.json.decode(request, type=Sent)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write("killed\n" if os.WIFSIGNALED(status) else f"ended {status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
