"""What the doctor says of guests' pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.settings import Settings
from commonroom.shareables.joins.findings import examine_guests
from commonroom.shareables.rules.limits import MEGABYTE
from commonroom.shareables.tables import GuestStorage, tables
from commonroom.store import Store, create
from commonroom.store.embedded import EmbeddedEngine


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store."""
    store = Store(EmbeddedEngine(tmp_path / "pages.db", tables, durability="OFF"))
    yield store
    await store.close()


async def test_it_says_how_much_room_they_take_and_warns_before_there_is_none(store: Store) -> None:
    settings = Settings(guest_storage_mb=10, page_makers="accounts")
    found = await examine_guests(store, settings)
    assert (found.level, found.about) == ("ok", "guests")
    assert found.detail == ("0 pages without an account take 0.0 of 10 MB; allowed for accounts")
    for shard in range(2):
        await store.write(create(GuestStorage(shard=shard, bytes=4 * MEGABYTE, pages=30)))
    found = await examine_guests(store, settings)
    assert found.level == "warning"
    assert "60 pages without an account take 8.0 of 10 MB" in found.detail
    assert "COMMONROOM_GUEST_STORAGE_MB" in found.repair
