import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from commonroom.store.dynamodb import DynamoEngine, DynamoSettings, connect
from tests.store.dynamodb.samples import TABLES, Clock
from tests.store.dynamodb.standin import StandIn, standing_in

ELSEWHERE = (
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_PROFILE",
    "AWS_SESSION_TOKEN",
)


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Credentials of our own, each test's another: to DynamoDB Local, a database of its own."""
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", uuid.uuid4().hex)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settings(empty_dynamodb: str) -> DynamoSettings:
    return DynamoSettings("eu-central-1", prefix="test-", endpoint=empty_dynamodb)


@pytest_asyncio.fixture
async def bare(settings: DynamoSettings, clock: Clock) -> AsyncIterator[DynamoEngine]:
    """An engine on a database without tables."""
    async with await connect(settings, clock) as engine:
        yield engine


@pytest_asyncio.fixture
async def engine(bare: DynamoEngine) -> DynamoEngine:
    await bare.create_tables(TABLES)
    return bare


@pytest_asyncio.fixture
async def standin() -> AsyncIterator[StandIn]:
    async with standing_in() as server:
        yield server
