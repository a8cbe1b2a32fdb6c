"""On DynamoDB, servers and `doctor` say that no worker runs, until one gives a sign."""

from __future__ import annotations

import json
import time
from pathlib import Path

from commonroom.doctor.store import START_WORKER, examine_dynamodb
from commonroom.joins.findings import Finding
from commonroom.model import MODEL
from commonroom.open_store import upgrade_of
from commonroom.settings import Settings
from commonroom.store import Store, put
from commonroom.store.dynamodb import connect
from commonroom.store.streams.tables import WorkerSign
from commonroom.store.streams.workers import NO_WORKER
from tests.support.dynamodb_local import settings_for
from tests.support.server import Server, on_dynamodb, serving_into


def ready(server: Server) -> tuple[int, dict[str, str]]:
    status, _, body = server.get("/health/ready")
    return status, json.loads(body)


async def examine(endpoint: str, data: Path) -> list[Finding]:
    """Returns what `doctor` says of the worker and the consumers."""
    settings = Settings(
        data=data, store="dynamodb", dynamodb_region="local", dynamodb_endpoint=endpoint
    )
    found = await examine_dynamodb(settings)
    return [one for one in found if one.about in ("worker", "consumers")]


async def test_it_is_said_at_the_start_by_health_and_by_doctor(
    empty_dynamodb: str, tmp_path: Path
) -> None:
    store = Store(await connect(settings_for(empty_dynamodb)))
    await store.engine.create_tables(MODEL.tables)
    await upgrade_of(store).record_first_tables()
    environment, log = on_dynamodb(empty_dynamodb), tmp_path / "server.log"

    with serving_into(log, tmp_path / "data", **environment) as server:
        assert NO_WORKER in log.read_text()
        assert ready(server) == (200, {"status": "ready", "detail": NO_WORKER})
    assert await examine(empty_dynamodb, tmp_path / "data") == [
        Finding("problem", "worker", NO_WORKER, START_WORKER),
        Finding("warning", "consumers", "none has run yet, and none runs now", START_WORKER),
    ]

    await store.write(put(WorkerSign(seen_at=time.time())))
    with serving_into(log, tmp_path / "data", **environment) as server:
        assert NO_WORKER not in log.read_text()
        assert ready(server) == (200, {"status": "ready", "detail": ""})
    [consumers] = await examine(empty_dynamodb, tmp_path / "data")
    assert consumers.level == "ok"
    await store.close()
