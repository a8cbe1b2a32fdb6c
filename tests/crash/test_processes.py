"""Several processes may write to one file at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from commonroom.store.declare.table import Table
from commonroom.store.values import Key
from tests.support.ledger_check import check_books, holders, reopened, started, told
from tests.support.ledger_writer import CLAIMS
from tests.support.world import Book, Entry, diary, world


class TestTwoProcesses:
    async def test_that_write_at_once_lose_nothing_and_claim_nothing_twice(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "ledger.db"
        with (
            started(path, "one", writers=8, count=25) as one,
            started(path, "two", writers=8, count=25) as two,
        ):
            said = {"one": one.communicate()[0], "two": two.communicate()[0]}

        assert (one.returncode, two.returncode) == (0, 0)
        acknowledged = {name for output in said.values() for name in told(output, "acknowledged")}
        assert len(acknowledged) == 400
        async with reopened(path) as engine:
            assert await check_books(engine, acknowledged) == 400
            claimed = {process: told(output, "claimed") for process, output in said.items()}
            assert sum(map(len, claimed.values())) == CLAIMS
            assert await holders(engine) == {
                name: process for process, several in claimed.items() for name in several
            }

    async def test_see_each_others_writes_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "ledger.db"
        async with reopened(path) as engine:
            with started(path, "writer", writers=1, count=150) as writer:
                seen = 0
                while writer.poll() is None:
                    entry, book = await engine.batch_get(pair(f"writer-0-{seen}"))
                    assert (entry is None) is (book is None)
                    seen += entry is not None
                    await asyncio.sleep(0)
                output, _ = writer.communicate()

            acknowledged = set(told(output, "acknowledged"))
            assert seen > 10, "there was something to see while it was written"
            assert await check_books(engine, acknowledged) == 150


def pair(name: str) -> list[tuple[Table, Key]]:
    """An entry and the book of the same transaction."""
    return [
        (diary, Entry(day=name).ref.key),
        (world, Book(house_id=name, book_id="b").ref.key),
    ]
