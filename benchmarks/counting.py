"""What each view and act of a month costs on DynamoDB, one household's counted act by act."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from httpx import Response

from benchmarks.capacity import Usage, measuring
from benchmarks.households import BOOKS, Household, Items, Template, settings
from benchmarks.month import ACTS, MONTH, Measured, Player
from benchmarks.prices import MINUTES, Bill
from commonroom.house.consumers import consumers
from commonroom.model import MODEL
from commonroom.outgoing.fetcher import Fetcher
from commonroom.store import Store
from commonroom.store.limits import item_size
from commonroom.store.streams import Worker
from tests.support.application import application

WORKER = "what the worker does after it"
"""What consumers read and write after all acts of a household were done once."""
WORKER_TIMES = ACTS["to draft a round"]
LIVE_MINUTES, LIVE_REQUESTS = 240, 30
"""How long pages that change by themselves are open in a month, and what each minute takes."""
IDLE_STREAM_READS = 40 * MINUTES
"""Of one worker in a month in which nothing happens."""
STREAMS = 9
"""How many tables a worker follows."""
BUSY_STREAM_READS = STREAMS * 60 * MINUTES
"""Of one worker that is never idle, while every stream has one shard."""
ABOUT = 50
EVENINGS_STORED, BOOKS_STORED = 100, 300
ITEM_OVERHEAD = 100
"""Bytes that DynamoDB adds to each item, and to each of its copies in an index."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What something takes each time, in the mean."""

    requests: float
    read_units: float
    write_units: float

    @classmethod
    def of(cls, usages: list[Usage]) -> Cost:
        """The mean of several."""
        figures = zip(*(one.figures for one in usages), strict=True)
        return cls(*(round(sum(one) / len(usages), 1) for one in figures))


class Forgetful(Measured):
    """Measures as `Measured` does, by an application that remembers nothing from act to act."""

    def __init__(self, store: Store, folder: Path) -> None:
        super().__init__()
        self._store, self._folder = store, folder
        self.app = application(store, settings(folder))

    async def __call__(self, name: str, doing: Awaitable[Response]) -> Any:
        """Does it and counts, then forgets."""
        answer = await super().__call__(name, doing)
        await self.close()
        self.app = application(self._store, settings(self._folder))
        return answer

    async def close(self) -> None:
        """Lets go of what the application has open."""
        for resource in self.app.state.resources:
            await resource.close()


async def count_month(
    store: Store, folder: Path, home: Household, number: int = 0
) -> dict[str, Cost]:
    """What everything in `MONTH` costs this household, which does all of it once."""
    measure = Forgetful(store, folder)
    try:
        await Player(measure.app, home, measure, number).play()
    finally:
        await measure.close()
    return {name: Cost.of(measure.usage[name]) for name in MONTH}


def new_worker(store: Store, folder: Path) -> Worker:
    """A worker with the consumers of all rooms."""
    return Worker(store, consumers(settings(folder), Fetcher()))


async def count_worker(worker: Worker) -> Cost:
    """What consumers do about all that has happened since the worker was last asked, in fifties.

    They run at once, so that now and then some of them write once more or less.
    """
    with measuring() as usage:
        await worker.drain()
    return Cost(*(ABOUT * round(one / ABOUT) for one in usage.figures))


def month_of(costs: Mapping[str, Cost], template: Template, households: int) -> Bill:
    """What so many households use in a month, without the worker's reads of streams."""
    times = MONTH | {WORKER: WORKER_TIMES}
    live = LIVE_MINUTES * LIVE_REQUESTS
    table_bytes, index_bytes = stored_bytes(template)
    return Bill(
        read_units=households * (live + sum(costs[one].read_units * times[one] for one in costs)),
        write_units=households * sum(costs[one].write_units * times[one] for one in costs),
        table_bytes=households * table_bytes,
        index_bytes=households * index_bytes,
    )


def stored_bytes(template: Template) -> tuple[float, float]:
    """What a household stores that has been here for years: in tables, and again in indexes."""
    quiet, lively = _bytes(template.quiet), _bytes(template.lively)
    shelf = _bytes({"MediaLibrary": template.quiet["MediaLibrary"]})
    # What an evening adds, and the round after it, which is stored as long as nobody has voted.
    tables, indexes = (
        quiet[kind]
        + EVENINGS_STORED * (lively[kind] - quiet[kind])
        + (BOOKS_STORED / BOOKS - 1) * shelf[kind]
        for kind in (0, 1)
    )
    return tables, indexes


def _bytes(items: Items) -> tuple[int, int]:
    tables = {table.name: table for table in MODEL.tables}
    stored = indexed = 0
    for name, several in items.items():
        for item in several:
            size = item_size(item) + ITEM_OVERHEAD
            stored += size
            indexed += size * sum(
                all(key.name in item for key in index.key) for index in tables[name].indexes
            )
    return stored, indexed
