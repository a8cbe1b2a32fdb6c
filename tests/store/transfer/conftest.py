"""Engines with the tables of `world`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from commonroom.store.embedded import EmbeddedEngine
from tests.support.transfers import TABLES


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[Callable[[str], EmbeddedEngine]]:
    """Makes embedded engines, each in a file of its own."""
    opened: list[EmbeddedEngine] = []

    def make(name: str) -> EmbeddedEngine:
        opened.append(EmbeddedEngine(tmp_path / f"{name}.db", TABLES, durability="OFF"))
        return opened[-1]

    yield make
    for engine in opened:
        await engine.close()
