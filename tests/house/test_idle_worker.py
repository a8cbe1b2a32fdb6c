"""What a worker with all rooms sends to DynamoDB when nothing happens, counted at the wire.

Time is simulated: where the worker would wait, its clocks are put forward by as much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.house.consumers import consumers
from commonroom.house.search import searchables
from commonroom.model import MODEL
from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.following import IndexFollower
from commonroom.search.indexing import Indexer
from commonroom.settings import Settings
from commonroom.store import Store, create
from commonroom.store.dynamodb import DynamoSettings, connect
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from commonroom.timers.scheduler import POLL_SECONDS, QUIET_POLLS
from tests.support.sample_data import LIBRARY
from tests.support.wire_counter import WireCounter, counting_wire

MAX_A_MINUTE = 60
MINUTE, HOUR = 60.0, 3600.0


class Clock:
    """Passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Idle:
    """A worker of the whole house on a DynamoDB behind a counter."""

    def __init__(self, store: Store, wire: WireCounter, folder: Path, clock: Clock) -> None:
        self.store = store
        self.wire = wire
        self._clock = clock
        self.consumers = consumers(Settings(data=folder), Fetcher())
        self.worker = Worker(store, self.consumers, clock=clock, monotonic=clock)

    async def pass_time(self, seconds: float) -> Counter[str]:
        """The requests of a while, by action."""
        until = self._clock.now + seconds
        self.wire.requests.clear()
        while self._clock.now < until:
            await self.worker.once()
            await self.worker._sweep()
            self._clock.now += self.worker._pause()
        return Counter(self.wire.requests)


@pytest.fixture
async def idle(empty_dynamodb: str, tmp_path: Path) -> AsyncIterator[Idle]:
    clock = Clock()
    async with (
        counting_wire(empty_dynamodb) as wire,
        await connect(DynamoSettings("local", endpoint=wire.endpoint), clock) as engine,
    ):
        await engine.create_tables(MODEL.tables)
        yield Idle(Store(engine), wire, tmp_path, clock)


async def test_an_idle_minute_takes_at_most_sixty_requests_with_the_timers(idle: Idle) -> None:
    await idle.pass_time(HOUR / 2)
    worker = await idle.pass_time(HOUR)

    idle.wire.requests.clear()
    await Scheduler(idle.store, {}).once()
    timers = idle.wire.requests.total() * MINUTE / (QUIET_POLLS * POLL_SECONDS)

    assert timers > 0
    assert worker.total() / 60 + timers <= MAX_A_MINUTE
    # Lists of shards are read every few minutes, whatever DynamoDB's limit for it.
    assert worker["DescribeStream"] / 60 <= 2
    # Each consumer notes once an hour that it has seen everything.
    writes = worker["TransactWriteItems"] + worker["PutItem"] + worker["UpdateItem"]
    assert writes <= len(idle.consumers)


async def test_an_idle_index_of_a_machine_takes_no_more(idle: Idle, tmp_path: Path) -> None:
    index, clock = EmbeddedIndex(tmp_path / "search.db"), Clock()
    indexer = Indexer(idle.store, index, searchables())
    follower = IndexFollower(indexer, index, clock=clock, monotonic=clock)
    for _ in range(2):  # it slows down first
        idle.wire.requests.clear()
        until = clock.now + HOUR
        while clock.now < until:
            clock.now += await follower._follow()
    assert idle.wire.requests["GetRecords"] > 0
    assert idle.wire.requests.total() / 60 <= MAX_A_MINUTE
    await index.close()


async def test_a_change_makes_it_look_at_everything_every_second(idle: Idle) -> None:
    await idle.pass_time(HOUR / 2)
    slow = await idle.pass_time(MINUTE)
    await idle.store.write(create(LIBRARY))
    while not idle.worker._pace.pause(100) <= 1:
        await idle.pass_time(1)
    quick = await idle.pass_time(MINUTE / 3)
    assert quick["GetRecords"] > slow["GetRecords"]
