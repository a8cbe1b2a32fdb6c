"""A process that is killed while a hangout comes on 500 agendas, moves there, and leaves them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.groups import MAX_MEMBERS
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.tables import AgendaEntry, Hangout
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.hangouts.agendas import check_agendas
from tests.hangouts.friends import (
    DAY,
    TABLES,
    crowd_of,
    everything_of,
    group_of,
    hangout_of,
    somebody,
    starts_in,
)
from tests.support.dynamodb_local import ROOT

KILLS = 2
LEASE = 120
"""Seconds after which a timer of whoever was killed is due again."""


class Crowd:
    """A group of 500 in a file, and Ada, who plans for them."""

    ada: User
    made: Hangout

    def __init__(self, path: Path) -> None:
        self.path, self.clock, self.later = path, Watch(), 0
        self.clock.now = time.time()
        self.chance = Random()

    async def plan(self) -> None:
        """A hangout for everybody."""
        store = self.open()
        self.ada = await somebody(store, self.clock, "Ada")
        group = await group_of(store, self.clock, self.ada)
        await crowd_of(store, self.clock, group, MAX_MEMBERS - 1)
        day = starts_in(self.clock, DAY)
        self.made = await hangout_of(store, self.clock, self.ada, group, time=day)
        await store.close()

    def open(self) -> Store:
        return Store(EmbeddedEngine(self.path, TABLES, durability="OFF"))

    def follow(self, *, killed_after: int | None = None) -> list[str]:
        """Lets a process follow, which is killed once it has written so often."""
        self.later += LEASE
        module = "tests.hangouts.races.busy_with_agendas"
        command = [sys.executable, "-m", module, str(self.path), str(self.later)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            lines = 0 if killed_after is None else killed_after
            said = [process.stdout.readline() for _ in range(lines)]
            if killed_after is not None:
                process.kill()
            said += process.stdout.read().splitlines()
        return [line.decode().strip() for line in said]

    async def follow_through_kills(self, start: int | None) -> None:
        """Everybody's entry is as the hangout is, whoever was killed on the way."""
        for _ in range(KILLS):
            assert "done" not in self.follow(killed_after=2 + self.chance.randrange(6))
        right = (
            (await self.starts())[start] if start else MAX_MEMBERS - (await self.starts()).total()
        )
        assert 0 < right < MAX_MEMBERS, "it was killed in the middle"
        assert "done" in self.follow()
        assert await self.starts() == ({} if start is None else {start: MAX_MEMBERS})
        store = self.open()
        await check_agendas(store.engine, self.clock())
        await store.close()

    async def starts(self) -> Counter[int]:
        """How many entries there are of each day, once it is certain that the file is whole."""
        engine = EmbeddedEngine(self.path, TABLES)
        try:
            await engine.check_integrity()
            return Counter(one.start_timestamp for one in await everything_of(engine, AgendaEntry))
        finally:
            await engine.close()


async def test_all_500_agendas_are_right_after_every_kill(tmp_path: Path) -> None:
    crowd = Crowd(tmp_path / "agendas.db")
    await crowd.plan()
    await crowd.follow_through_kills(crowd.made.start_timestamp)
    store = crowd.open()
    ctx = Context(store, crowd.ada, crowd.clock())
    later = {"time": starts_in(crowd.clock, 3 * DAY)}
    moved = await change_hangout(ctx, crowd.made.hangout_id, later, version=1)
    await store.close()
    await crowd.follow_through_kills(moved.start_timestamp)
    store = crowd.open()
    await delete_hangout(Context(store, crowd.ada, crowd.clock()), crowd.made.hangout_id)
    await store.close()
    await crowd.follow_through_kills(None)
