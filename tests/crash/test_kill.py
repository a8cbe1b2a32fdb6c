"""A process that is killed at any moment leaves a file in which everything is whole."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

import pytest

from tests.support.ledger_check import check_books, reopened, started, told

ROUNDS = 6


def killed_after(path: Path, process: str, lines: int, seconds: float) -> bytes:
    """What a writer said until it was killed, so many lines and a moment after it began."""
    said = b""
    with started(path, process) as writer:
        assert writer.stdout is not None
        for _ in range(lines):
            said += writer.stdout.readline()
        time.sleep(seconds)
        writer.kill()
        return said + writer.stdout.read()


class TestAKilledWriter:
    async def test_leaves_all_it_acknowledged_and_nothing_by_halves(self, tmp_path: Path) -> None:
        path, chance = tmp_path / "ledger.db", Random()
        acknowledged: set[str] = set()
        for number in range(ROUNDS):
            lines = 2 + chance.randrange(500)
            said = killed_after(path, f"{number}", lines, chance.random() / 50)
            acknowledged.update(told(said, "acknowledged"))
            async with reopened(path) as engine:
                there = await check_books(engine, acknowledged)

        assert there >= len(acknowledged) > 100, "so many were written that it meant something"

    @pytest.mark.parametrize("milliseconds", [0, 1, 3, 6, 10, 20])
    async def test_while_it_made_the_file_leaves_one_that_can_be_opened(
        self, tmp_path: Path, milliseconds: int
    ) -> None:
        path = tmp_path / "ledger.db"
        said = killed_after(path, "first", 1, milliseconds / 1000)

        async with reopened(path) as engine:
            await check_books(engine, set(told(said, "acknowledged")))

    async def test_leaves_the_file_to_others_who_write_meanwhile(self, tmp_path: Path) -> None:
        path = tmp_path / "ledger.db"
        with started(path, "other", writers=4, count=60) as other:
            said = await asyncio.to_thread(killed_after, path, "killed", 60, 0.01)
            rest, _ = other.communicate()

        assert other.returncode == 0
        acknowledged = told(said, "acknowledged") + told(rest, "acknowledged")
        assert len(told(rest, "acknowledged")) == 240
        async with reopened(path) as engine:
            await check_books(engine, set(acknowledged))
