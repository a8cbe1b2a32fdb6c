"""A server completes an upgrade of its data beside its pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom import open_store as opening
from commonroom.house.running import upgrading
from commonroom.library.tables import Book, items_by_title
from commonroom.model import MODEL
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BeingUpgraded
from tests.support.earlier_keys import forget_keys
from tests.support.sample_data import BOOK


@pytest.fixture
async def settings(tmp_path: Path) -> Settings:
    """An installation whose books were stored without the keys of an index."""
    engine = EmbeddedEngine(tmp_path / "commonroom.db", MODEL.tables)
    await Store(engine).write(put(BOOK))
    await forget_keys(engine, Book, "GSI2PK", "GSI2SK")
    await engine.close()
    return Settings(data=tmp_path)


async def test_a_small_file_is_complete_as_soon_as_it_is_open(settings: Settings) -> None:
    async with open_store(settings) as store:
        page = await store.page(items_by_title(owner_id=BOOK.owner_id))
        assert page.items == [BOOK]


async def test_a_large_file_is_completed_while_it_is_open(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "UPGRADE_SECONDS", 0.0)
    async with open_store(settings) as store:
        with pytest.raises(BeingUpgraded):
            await store.page(items_by_title(owner_id=BOOK.owner_id))
        async with upgrading(store):
            while store.engine.incomplete.summary:
                await store.engine.wait_for_changes(1.0)
            page = await store.page(items_by_title(owner_id=BOOK.owner_id))
        assert page.items == [BOOK]
