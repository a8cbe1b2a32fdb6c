"""An installation whose index holds what comes with Commonroom, two lists and a curator."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.house.rooms import ROOMS
from commonroom.joins.rooms import Room
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.reindexing import reindex
from commonroom.store import put
from tests.house.whole import Whole, whole
from tests.search.things import a_list, indexer_of, profile

OPEN: tuple[Room, ...] = tuple(
    replace(room, addresses=room.addresses or [f"/{room.key}"]) for room in ROOMS
)
"""All rooms, as if each had pages."""


@pytest.fixture(scope="session")
def index_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of such an installation, built once."""
    folder = tmp_path_factory.mktemp("index")

    async def build() -> None:
        async with whole(folder, of_rooms=OPEN) as made:
            await furnish(made)
            index = EmbeddedIndex(folder / "search.db")
            await reindex(indexer_of(made.store, index))
            await index.close()

    asyncio.run(build())
    return folder / "search.db"


async def furnish(house: Whole) -> None:
    """Adds what everybody may find besides films and shows."""
    rainy = a_list("rainy", "Rainy matrix evenings", item_count=12, curator_name="Maya")
    await house.store.write(put(rainy), put(profile("maya", "matrixmaya", public_list_count=1)))


@pytest.fixture
async def house(tmp_path: Path, index_file: Path) -> AsyncIterator[Whole]:
    shutil.copyfile(index_file, tmp_path / "search.db")
    async with whole(tmp_path, of_rooms=OPEN) as made:
        await furnish(made)
        yield made
