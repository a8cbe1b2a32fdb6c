"""A process that is killed in the middle of an upgrade leaves the rest to the next one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from commonroom.store import Store, create
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BeingUpgraded
from commonroom.store.upgrades.upgrade import Upgrade
from tests.store.upgrades.generations import books, everything, first, furnish, second
from tests.support.dynamodb_local import ROOT

COUNT = 4000
TIMES = 4
PROGRAM = [sys.executable, "-m", "tests.store.upgrades.upgrading_process"]


def killed_after(path: Path, lines: int) -> list[str]:
    """What the process said until it was killed."""
    with subprocess.Popen([*PROGRAM, str(path)], cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said if line.strip()]


async def test_keys_are_filled_once_however_often_it_is_killed(tmp_path: Path) -> None:
    path, chance, new = tmp_path / "shelf.db", Random(), second()
    await furnish(path, first(), COUNT)

    reached = 0
    for time in range(TIMES):
        said = killed_after(path, 1 + chance.randrange(5))
        assert "done" not in said
        begun = int(said[0].split()[0])
        assert begun >= reached, "nothing that was done is done again"
        reached = begun
        store = Store(EmbeddedEngine(path, new.tables))
        await store.engine.check_integrity()  # type: ignore[attr-defined] # of the embedded engine
        with pytest.raises(BeingUpgraded):
            await store.page(new.patterns["by colour"](colour="red"))
        # Somebody who uses it meanwhile.
        await store.write(create(new.book(owner="ben", id=f"{time}", title="B", colour="red")))
        await store.close()
    assert killed_after(path, 1000)[-1] == "done"

    await check_complete(path)


async def test_two_processes_at_once_come_to_the_same(tmp_path: Path) -> None:
    path = tmp_path / "shelf.db"
    await furnish(path, first(), COUNT)

    command = [*PROGRAM, str(path)]
    both = [_started(command) for _ in range(2)]
    said = [process.communicate()[0] for process in both]

    assert [process.returncode for process in both] == [0, 0]
    assert all(words.endswith(b"done\n") for words in said)
    await check_complete(path)


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


async def check_complete(path: Path) -> None:
    """Everything is as if the second version had stored it."""
    new = second()
    store = Store(EmbeddedEngine(path, new.tables))
    assert await Upgrade(store, new.tables).is_complete()
    stored = await everything(store.engine, [new.table])
    for book in books(new, COUNT):
        assert stored["Shelf", book.ref.key] == book.to_item()
    red = [one async for one in store.all(new.patterns["by colour"](colour="red"))]
    assert len([one for one in red if one.owner == "ada"]) == len(range(0, COUNT, 3))
    await store.close()
