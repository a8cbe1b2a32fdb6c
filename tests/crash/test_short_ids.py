"""A process that is killed while it claims short ids loses none and gives none twice."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from commonroom.shareables.rules.short_ids import new_short_id
from commonroom.shareables.tables import Checklist
from commonroom.shareables.tables.pool import PooledId
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from tests.shareables.furniture import TABLES, everything_of, stocked
from tests.shareables.races.claiming import engine_at
from tests.support.dynamodb_local import ROOT

TIMES = 4
ENTRIES = 200


@pytest.fixture(params=["embedded", "dynamodb"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the pages are: a file, or a database of their own in DynamoDB Local."""
    if request.param == "embedded":
        return str(tmp_path / "pages.db")
    endpoint: str = request.getfixturevalue("empty_dynamodb")
    return endpoint


def killed_after(place: str, lines: int, seconds: float) -> list[str]:
    """The ids that were acknowledged until the process was killed."""
    command = [sys.executable, "-m", "tests.shareables.races.claiming", place]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        time.sleep(seconds)
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said]


async def begun(place: str, ids: list[str]) -> None:
    """A pool of these ids."""
    engine = await engine_at(place)
    await engine.create_tables(TABLES)
    await stocked(Store(engine), ids, partitions=ENTRIES)
    await engine.close()


async def claimed_and_left(place: str) -> tuple[set[str], set[str]]:
    """The ids that have a page, and those that can still be had, once both stay as they are.

    What a killed process has sent may still be carried out, between one look and the next.
    """
    engine = await engine_at(place)
    try:
        if isinstance(engine, EmbeddedEngine):
            await engine.check_integrity()
        before, now = None, await _looked(engine)
        while before != now:
            before, now = now, await _looked(engine)
    finally:
        await engine.close()
    return now


async def _looked(engine: Engine) -> tuple[set[str], set[str]]:
    pages = {page.short_id for page in await everything_of(engine, Checklist)}
    left = {entry.id.lower() for entry in await everything_of(engine, PooledId)}
    return pages, left


async def test_a_killed_process_loses_no_short_id_and_gives_none_twice(place: str) -> None:
    chance = Random()
    ids = [new_short_id() for _ in range(ENTRIES)]
    await begun(place, ids)

    acknowledged: list[str] = []
    for _ in range(TIMES):
        lines, moment = 5 + chance.randrange(40), chance.random() / 50
        acknowledged += await asyncio.to_thread(killed_after, place, lines, moment)
        pages, left = await claimed_and_left(place)
        assert set(acknowledged) <= pages, "what was acknowledged is there"
        assert not pages & left, "nothing by halves"
        assert {one.lower() for one in ids} <= pages | left, "no entry is lost"

    assert len(set(acknowledged)) == len(acknowledged) > 10
