"""A process that is killed while it deletes all that was said on a hangout that is gone."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from commonroom.accounts.context import Context
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.tables import TalkMessage
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.hangouts.friends import TABLES, everything_of, group_of, hangout_of, somebody, tidied
from tests.support.dynamodb_local import ROOT

MESSAGES = 4000
TIMES = 3


async def talked(path: Path) -> None:
    """Two hangouts on which a lot was said, the first of them just deleted."""
    store, clock = Store(EmbeddedEngine(path, TABLES, durability="OFF")), Watch()
    clock.now = time.time()
    ada = await somebody(store, clock, "Ada")
    group = await group_of(store, clock, ada)
    gone, kept = [await hangout_of(store, clock, ada, group) for _ in range(2)]
    for one in (gone, kept):
        said = await say(Context(store, ada, clock()), ada, one.hangout_id, "Hello!")
        item = said.to_item()
        await store.engine.load(
            TalkMessage.schema.table,
            [
                item | {"SK": f"{item['SK']}{n}", "messageId": f"{said.message_id}{n}"}
                for n in range(MESSAGES - 1)
            ],
        )
    await tidied(store, clock)
    await delete_hangout(Context(store, ada, clock()), gone.hangout_id)
    await store.close()


def killed_after(path: Path, lines: int, later: int) -> list[str]:
    """What the process said until it was killed."""
    command = [sys.executable, "-m", "tests.hangouts.races.busy_with_talk", str(path), str(later)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said]


async def messages_in(path: Path) -> int:
    """How many messages there are, once it is certain that the file is whole."""
    engine = EmbeddedEngine(path, TABLES)
    try:
        await engine.check_integrity()
        return len(await everything_of(engine, TalkMessage))
    finally:
        await engine.close()


async def test_what_was_said_on_a_deleted_hangout_goes_after_every_kill(tmp_path: Path) -> None:
    path, chance = tmp_path / "talk.db", Random()
    await talked(path)
    for turn in range(TIMES):
        said = killed_after(path, 1 + chance.randrange(9), turn * 60)
        assert "done" not in said
    assert MESSAGES < await messages_in(path) < 2 * MESSAGES, "it was killed in the middle"
    assert "done" in killed_after(path, 10_000, TIMES * 60)
    assert await messages_in(path) == MESSAGES, "and nothing else goes"
