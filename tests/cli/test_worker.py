"""`commonroom worker` follows changes in a process of its own, and stops when told to."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from commonroom.model import MODEL
from commonroom.store import Store, create, update
from commonroom.store.embedded import EmbeddedEngine
from tests.support.dynamodb_local import ROOT
from tests.support.sample_data import BOOK, LIBRARY
from tests.support.server import clean_environment


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """An installation in which a library was just renamed."""
    folder = tmp_path / "data"
    folder.mkdir()
    store = Store(EmbeddedEngine(folder / "commonroom.db", MODEL.tables, durability="OFF"))
    await store.write(create(LIBRARY), create(BOOK))
    await store.write(update(LIBRARY, library_name="Cellar"))
    await store.close()
    return folder


async def test_it_carries_a_new_name_to_every_copy_and_stops_cleanly(data: Path) -> None:
    worker = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "commonroom",
        "worker",
        "--data",
        str(data),
        cwd=ROOT,
        env=clean_environment(),
    )
    store = Store(EmbeddedEngine(data / "commonroom.db", MODEL.tables))
    try:
        while (book := await store.get(BOOK.ref)) is None or book.library_name != "Cellar":
            assert worker.returncode is None, "the worker ended before it was done"
            await store.engine.wait_for_changes(1)
        worker.send_signal(signal.SIGTERM)
        assert await worker.wait() == 0
    finally:
        if worker.returncode is None:
            worker.kill()
        await store.close()
