"""What an idle worker sends to DynamoDB in a minute, counted at the wire.

Run with `python -m benchmarks.idle_worker`; it starts a DynamoDB Local of its own.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import Counter
from pathlib import Path

from commonroom.house.running import housekeeping
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.dynamodb import DynamoSettings, connect
from tests.support import dynamodb_local
from tests.support.wire_counter import WireCounter, counting_wire

WARM_UP_SECONDS = 400.0
"""Long enough for polling to have slowed down as far as it does."""
SECONDS = 60.0


async def count_requests(endpoint: str, folder: Path) -> tuple[Counter[str], Counter[str]]:
    """The requests of a start and of an idle minute, by action."""
    async with (
        counting_wire(endpoint) as wire,
        await connect(DynamoSettings("local", endpoint=wire.endpoint)) as engine,
    ):
        await engine.create_tables(MODEL.tables)
        wire.requests.clear()
        async with housekeeping(Store(engine), Settings(data=folder)):
            await asyncio.sleep(WARM_UP_SECONDS)
            start = _taken(wire)
            await asyncio.sleep(SECONDS)
            return start, _taken(wire)


def _taken(wire: WireCounter) -> Counter[str]:
    requests = Counter(wire.requests)
    wire.requests.clear()
    return requests


def main() -> None:
    """Prints both."""
    os.environ |= {"AWS_ACCESS_KEY_ID": "benchmark", "AWS_SECRET_ACCESS_KEY": "none"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with dynamodb_local.running(dynamodb_local.fetched(), folder / "local.log") as endpoint:
            start, idle = asyncio.run(count_requests(endpoint, folder / "data"))
    for when, requests in (("start", start), ("idle minute", idle)):
        print(f"{when}: {requests.total()} requests, {dict(requests.most_common())}")


if __name__ == "__main__":
    main()
