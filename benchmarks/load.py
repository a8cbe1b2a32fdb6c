"""A month of many households in minutes, on DynamoDB Local: requests, capacity units, contention.

Run with `python -m benchmarks.load --households 10000`; it starts a DynamoDB Local of its own and
measures no time. `--document docs/scale.md` writes the figures into that page; with `--only-count`
those of single views and acts alone, which takes half a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.capacity import Usage, metered_engine
from benchmarks.counting import WORKER, Cost, count_month, count_worker, new_worker
from benchmarks.documents import table, with_parts
from benchmarks.households import (
    V1,
    Copies,
    Template,
    answered,
    browser,
    furnish,
    furnish_house,
    make_template,
    opened_house,
)
from benchmarks.month import MONTH, POLL, Measured, Player, vote_in_poll
from benchmarks.scale_document import counted_parts, figure
from commonroom.concurrency import gather_each
from commonroom.model import MODEL
from commonroom.store import Store
from tests.support import dynamodb_local

FEW = 10
"""How many households there are when views and acts are counted first."""
PLAYERS = 300
"""How many households do all of a month; the others look at their home."""
BATCH = 32
SECONDS = 420.0
"""When no further household begins to play, counted from the start."""
VOTERS, VOTERS_AT_ONCE = 500, 64
HOTTEST = 8


@dataclass(slots=True)
class Scene:
    """What many did at once."""

    name: str
    done: int = 0
    usage: Usage = field(default_factory=Usage)

    def add(self, measured: Measured) -> None:
        """Adds what some of them did."""
        for usages in measured.usage.values():
            self.done += len(usages)
            for usage in usages:
                self.usage.add(usage)


@dataclass(slots=True)
class Load:
    """Everything that was measured."""

    few: Mapping[str, Cost]
    many: Mapping[str, Cost]
    households: int
    items: int
    scenes: list[Scene]

    @property
    def changed(self) -> list[str]:
        """What takes more or less with many households than with few."""
        return [name for name in MONTH if self.few[name] != self.many[name]]


class Simulation:
    """Many households in one DynamoDB."""

    def __init__(self, store: Store, folder: Path, template: Template) -> None:
        self._store, self._folder = store, folder
        self._copies = Copies(template)
        self._until = time.monotonic() + SECONDS

    async def furnish(self, first: int, last: int, *, lively: bool) -> int:
        """Stores the households with these numbers; gives the number of items."""
        numbers = range(first, last + 1)
        return await furnish(self._store.engine, self._copies, numbers, lively=lively)

    async def count(self, number: int) -> dict[str, Cost]:
        """What each view and act costs one household, while nobody else does anything."""
        return await count_month(self._store, self._folder, self._copies.household(number), number)

    async def play(self, doing: str, first: int, last: int, *, whole: bool) -> Scene:
        """Lets households do a whole month, or look at their home alone, while there is time."""
        scene, households = Scene(doing), 0
        async with opened_house(self._store, self._folder) as app:

            async def one(number: int) -> None:
                nonlocal households
                if time.monotonic() > self._until:
                    return
                households += 1
                measured = Measured()
                player = Player(app, self._copies.household(number), measured, number)
                await (player.play() if whole else player.look_at_home())
                scene.add(measured)

            await gather_each(one, range(first, last + 1), limit=BATCH)
        scene.name = f"{households:,} households {doing}, {BATCH} at once"
        return scene

    async def evening(self, first: int, last: int) -> Scene:
        """Lets all members of a household vote at the same moment."""
        scene = Scene("all members vote on all films at once")
        async with opened_house(self._store, self._folder) as app:
            for number in range(first, last + 1):
                measured = Measured()
                await Player(app, self._copies.household(number), measured, number).vote_at_once()
                scene.add(measured)
        return scene

    async def crowd(self, voters: int) -> Scene:
        """Lets many guests vote in one guest's poll, each from home; every vote must count."""
        scene = Scene(f"{voters} guests vote in one poll, {VOTERS_AT_ONCE} at once")
        async with (
            opened_house(self._store, self._folder) as app,
            browser(app, address="192.168.0.1") as creator,
        ):
            made = answered(await creator.post(f"{V1}/shareables/polls", json=POLL))["page"]

            async def one(number: int) -> None:
                measured = Measured()
                address = f"172.{16 + (number >> 8)}.{number & 255}.1"
                async with browser(app, address=address) as guest:
                    with suppress(ConnectionError):  # it is counted by what is missing
                        await vote_in_poll(measured, guest, made)
                scene.add(measured)

            await gather_each(one, range(voters), limit=VOTERS_AT_ONCE)
            path = f"{V1}/shareables/{made['short_id']}/results"
            scene.done = answered(await creator.get(path))["vote_count"]
        return scene


async def count(
    endpoint: str, folder: Path, template: Template, households: int = FEW
) -> dict[str, Cost]:
    """What each view and act costs among so many households, the worker's part included."""
    async with metered_engine(endpoint) as engine:
        store = Store(engine)
        simulation = await _begin(store, folder, template, households)
        worker = new_worker(store, folder)
        await worker.drain()
        costs = await simulation.count(households)
        return costs | {WORKER: await count_worker(worker)}


async def _begin(store: Store, folder: Path, template: Template, households: int) -> Simulation:
    await store.engine.create_tables(MODEL.tables)
    await furnish_house(store.engine)
    simulation = Simulation(store, folder, template)
    await simulation.furnish(1, households, lively=True)
    return simulation


async def simulate(
    endpoint: str,
    folder: Path,
    template: Template,
    households: int,
    *,
    voters: int = VOTERS,
    say: Callable[[str], object] = print,
) -> Load:
    """All of it, with so many households in the end."""
    players = min(PLAYERS, households // 4)
    async with metered_engine(endpoint) as engine:
        store = Store(engine)
        simulation = await _begin(store, folder, template, FEW)
        say(f"Counting with {FEW} households …")
        few = await simulation.count(1)
        say(f"Furnishing {households:,} households …")
        items = await simulation.furnish(FEW + 1, FEW + players, lively=True)
        items += await simulation.furnish(FEW + players + 1, households, lively=False)
        say(f"Counting among {items:,} items …")
        many = await simulation.count(2)
        say("Playing …")
        scenes = [
            await simulation.crowd(voters),
            await simulation.evening(3, FEW),
            await simulation.play(
                "live through a month",
                FEW + 1,
                FEW + players,
                whole=True,
            ),
            await simulation.play(
                "look at their home",
                FEW + players + 1,
                households,
                whole=False,
            ),
        ]
        return Load(few, many, households, items, scenes)


def report(load: Load) -> str:
    """What was measured, as tables."""
    rows = [
        (
            one.name,
            f"{one.done:,}",
            f"{one.usage.requests.total():,}",
            figure(one.usage.read_units),
            figure(one.usage.write_units),
            f"{one.usage.overlaps:,}",
            f"{one.usage.conflicts:,}",
            f"{one.usage.failed_conditions:,}",
        )
        for one in load.scenes
    ]
    head = (
        "done",
        "requests",
        "read units",
        "write units",
        "overlaps",
        "conflicts",
        "failed conditions",
    )
    together = Usage()
    for one in load.scenes:
        together.add(one.usage)
    hottest = [(f"`{name}`", f"{count:,}") for name, count in _hottest(together)]
    flat = (
        f"All {len(MONTH)} views and acts take the same requests and units with {FEW} households "
        f"and with {load.households:,} ({load.items:,} items)."
        if not load.changed
        else f"These take other requests or units than with {FEW}: {', '.join(load.changed)}."
    )
    return f"{flat}\n\n{table(('', *head), rows)}\n{table(('written most', 'times'), hottest)}"


def _hottest(usage: Usage) -> list[tuple[str, int]]:
    """The items that were written most, one of each kind, without the ids in their keys."""
    most: dict[str, int] = {}
    for place, times in usage.writes.most_common():
        prefix, mark, _ = place.partition.partition("#")
        most.setdefault(f"{place.table} {prefix}#…" if mark else f"{place.table} …", times)
    return list(most.items())[:HOTTEST]


async def measure(
    endpoint: str, folder: Path, households: int | None
) -> tuple[dict[str, str], list[str]]:
    """The parts of the page, and what takes more or less among many households."""
    template = await make_template(folder)
    parts = counted_parts(await count(endpoint, folder, template), template)
    if households is None:
        return parts, []
    os.environ["AWS_ACCESS_KEY_ID"] = "simulation"  # a database of its own
    load = await simulate(endpoint, folder, template, households)
    return parts | {"simulation": report(load)}, load.changed


def main() -> int:
    """Fails where a view or an act takes more the more households there are."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--households", type=int, default=10_000)
    parser.add_argument("--only-count", action="store_true")
    parser.add_argument("--document", type=Path)
    arguments = parser.parse_args()
    households = None if arguments.only_count else arguments.households
    os.environ |= {"AWS_ACCESS_KEY_ID": "benchmark", "AWS_SECRET_ACCESS_KEY": "none"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with dynamodb_local.running(dynamodb_local.fetched(), folder / "local.log") as endpoint:
            parts, changed = asyncio.run(measure(endpoint, folder, households))
    if (page := arguments.document) is None:
        print(*parts.values(), sep="\n")
    else:
        page.write_text(with_parts(page.read_text(), parts))
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
