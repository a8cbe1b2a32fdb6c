"""Two machines that share data in DynamoDB, without a worker: each finds what anybody wrote."""

from __future__ import annotations

import asyncio
from pathlib import Path

from commonroom.doctor.search import compare_search, examine_search
from commonroom.house.secrets_in_use import DIFFERENT_SECRETS
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store, put
from commonroom.store.dynamodb import connect
from tests.search.things import movie
from tests.support.dynamodb_local import settings_for
from tests.support.server import Server, on_dynamodb, serving_into


async def until_found(server: Server, query: str, title: str) -> None:
    """Waits until a server's page of results has a title."""
    found = ""
    while title not in found:
        await asyncio.sleep(0.1)
        found = (await asyncio.to_thread(server.get, f"/search?q={query}"))[2]


async def until_well(store: Store, settings: Settings) -> None:
    """Waits until doctor finds nothing wrong with the index of a machine."""
    levels: set[str] = set()
    while levels != {"ok"}:
        findings = [*await examine_search(settings), *await compare_search(store, settings)]
        levels = {finding.level for finding in findings}
        await asyncio.sleep(0.1)


async def test_each_finds_what_was_written_elsewhere(empty_dynamodb: str, tmp_path: Path) -> None:
    store = Store(await connect(settings_for(empty_dynamodb)))
    await store.engine.create_tables(MODEL.tables)
    environment = on_dynamodb(empty_dynamodb)
    logs = [tmp_path / "one.log", tmp_path / "other.log"]
    with (
        serving_into(logs[0], tmp_path / "one", **environment) as one,
        serving_into(logs[1], tmp_path / "other", **environment) as other,
    ):
        await store.write(put(movie("m1", "Quagmire Almanac")))
        for server in (one, other):
            await until_found(server, "almanac", "Quagmire Almanac")
        for name in ("one", "other"):
            settings = Settings(data=tmp_path / name, store="dynamodb", dynamodb_region="local")
            await until_well(store, settings)
    assert DIFFERENT_SECRETS not in logs[0].read_text()
    assert DIFFERENT_SECRETS in logs[1].read_text(), "each has made secrets of its own"
    await store.close()
