"""A process that is killed while 500 members get a group's new name, or lose their group."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from commonroom.accounts.context import Context
from commonroom.hangouts.rules.groups import MAX_MEMBERS
from commonroom.hangouts.service.groups import change_group, delete_group
from commonroom.hangouts.tables import GroupMembership, Hangout, HangoutPointer
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    TABLES,
    check_groups,
    check_hangouts,
    crowd_of,
    everything_of,
    group_of,
    hangout_of,
    somebody,
    tidied,
)
from tests.support.dynamodb_local import ROOT

TIMES = 3


async def crowded(path: Path, *, deleted: bool) -> None:
    """A group of 500 with a hangout, which was just renamed or deleted."""
    store, clock = Store(EmbeddedEngine(path, TABLES, durability="OFF")), Watch()
    clock.now = time.time()
    ada = await somebody(store, clock, "Ada")
    group = await group_of(store, clock, ada, name="Before")
    await crowd_of(store, clock, group, MAX_MEMBERS - 1)
    await hangout_of(store, clock, ada, group)
    await tidied(store, clock)
    ctx = Context(store, ada, clock())
    if deleted:
        await delete_group(ctx, group.group_id)
    else:
        given = {"group_name": "After"}
        await change_group(ctx, group.group_id, given, version=group.version)
    await store.close()


def killed_after(path: Path, lines: int, later: int) -> list[str]:
    """What the process said until it was killed."""
    command = [sys.executable, "-m", "tests.hangouts.races.busy_with_groups", str(path), str(later)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said]


async def names_in(path: Path) -> Counter[str]:
    """The names that memberships show, once it is certain that the file is whole."""
    engine = EmbeddedEngine(path, TABLES)
    try:
        await engine.check_integrity()
        return Counter(one.group_name for one in await everything_of(engine, GroupMembership))
    finally:
        await engine.close()


async def test_a_new_name_reaches_all_500_members_after_every_kill(tmp_path: Path) -> None:
    path, chance = tmp_path / "groups.db", Random()
    await crowded(path, deleted=False)
    for turn in range(TIMES):
        said = killed_after(path, 20 + chance.randrange(100), turn * 60)
        assert "done" not in said
    assert 0 < (await names_in(path))["Before"] < MAX_MEMBERS, "it was killed in the middle"
    assert "done" in killed_after(path, 10_000, TIMES * 60)
    assert await names_in(path) == {"After": MAX_MEMBERS}
    engine = EmbeddedEngine(path, TABLES)
    await check_groups(engine)
    await engine.close()


async def test_a_deleted_group_of_500_is_cleared_up_after_every_kill(tmp_path: Path) -> None:
    path, chance = tmp_path / "groups.db", Random()
    await crowded(path, deleted=True)
    for turn in range(TIMES):
        said = killed_after(path, 20 + chance.randrange(100), turn * 60)
        assert "done" not in said
    assert 0 < (await names_in(path)).total() < MAX_MEMBERS, "it was killed in the middle"
    assert "done" in killed_after(path, 10_000, TIMES * 60)
    engine = EmbeddedEngine(path, TABLES)
    for kind in (GroupMembership, Hangout, HangoutPointer):
        assert await everything_of(engine, kind) == []
    await check_groups(engine)
    await check_hangouts(engine)
    await engine.close()
