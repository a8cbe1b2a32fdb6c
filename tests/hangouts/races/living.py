"""Lets a crowd live through moments on a hostile engine."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.hangouts.friends import TABLES
from tests.support.hostile_engine import EVERYTHING, HostileEngine

A = TypeVar("A")

HOSTILITY = replace(EVERYTHING, conflicts=0.0)
"""The crowd itself is the competing writer: what writes a hangout alone would spoil pointers."""


class Crowd(Protocol[A]):
    """People who do things, all at once."""

    store: Store

    async def begin(self) -> None:
        """Makes what they do things with."""

    async def live(self, moment: list[A]) -> None:
        """Lets everything happen that happens in a moment, and looks at what is stored."""


def live_through(
    moments: Sequence[list[A]], seed: int, crowd_of: Callable[[Store, Watch], Crowd[A]]
) -> None:
    """Begins on a calm engine, and goes on while the same one is hostile."""

    async def run(folder: Path) -> None:
        clock = Watch()
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        crowd = crowd_of(Store(calm), clock)
        await crowd.begin()
        hostile = await HostileEngine.around(
            calm, TABLES, folder, seed=seed, clock=clock, hostility=HOSTILITY
        )
        crowd.store = Store(hostile)
        for moment in moments:
            await crowd.live(moment)
        await hostile.close()

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(run(Path(name)))
