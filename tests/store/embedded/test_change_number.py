"""The change number: whoever writes to the file, and however, it is another afterwards."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import Unavailable
from tests.support.dynamodb_local import ROOT
from tests.support.world import TABLES, Book, House, world

ELSEWHERE = """
import asyncio, sys
from pathlib import Path
from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from tests.support.world import TABLES, House

async def main():
    store = Store(EmbeddedEngine(Path(sys.argv[1]), TABLES))
    await store.write(put(House(house_id="elsewhere", title="Elsewhere")))
    await store.close()

asyncio.run(main())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data.db"


@pytest.fixture
async def engine(path: Path) -> AsyncIterator[EmbeddedEngine]:
    engine = EmbeddedEngine(path, TABLES, durability="OFF")
    yield engine
    await engine.close()


class TestTheNumber:
    async def test_is_another_after_a_load(self, engine: EmbeddedEngine) -> None:
        before = engine.change_number()
        await engine.load(world, [Book(house_id="h", book_id="b").to_item()])
        assert engine.change_number() != before

    async def test_is_another_after_a_write_of_another_engine(
        self, engine: EmbeddedEngine, path: Path
    ) -> None:
        before = engine.change_number()
        other = Store(EmbeddedEngine(path, TABLES, durability="OFF"))
        opened = engine.change_number()
        await other.write(put(House(house_id="h", title="Home")))
        written = engine.change_number()
        await other.close()
        assert len({before, written}) == len({opened, written}) == 2

    async def test_is_another_after_a_write_of_another_process(
        self, engine: EmbeddedEngine, path: Path
    ) -> None:
        before = engine.change_number()
        command = [sys.executable, "-c", ELSEWHERE, str(path)]
        await asyncio.to_thread(subprocess.run, command, cwd=ROOT, check=True)
        assert engine.change_number() != before

    async def test_changes_with_what_reads_see(self, engine: EmbeddedEngine, path: Path) -> None:
        store, other = Store(engine), Store(EmbeddedEngine(path, TABLES, durability="OFF"))
        seen = {}
        for number in range(20):
            house = House(house_id="h", title=f"{number}")
            await (store if number % 2 else other).write(put(house))
            before = engine.change_number()
            assert await store.get(house.ref) == house
            assert engine.change_number() == before
            seen[before] = house.title
        await other.close()
        assert list(seen.values()) == [f"{number}" for number in range(20)]

    async def test_of_a_file_that_was_closed_is_a_sentence(self, path: Path) -> None:
        engine = EmbeddedEngine(path, TABLES, durability="OFF")
        await engine.close()
        with pytest.raises(Unavailable):
            engine.change_number()
