"""Every test that asks for `engine` or `store` runs twice: embedded, and on DynamoDB Local."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from commonroom.store import Store
from commonroom.store.dynamodb import DynamoSettings
from commonroom.store.engine import Engine
from tests.support.dynamodb_local import settings_for
from tests.support.engines import Clock, Place, made_tables, opened
from tests.support.world import TABLES, fresh


@pytest.fixture(scope="session")
def credentials() -> Iterator[None]:
    """Credentials of nobody, which is all that DynamoDB Local asks for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "contract")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        patch.delenv("AWS_SESSION_TOKEN", raising=False)
        yield


@pytest.fixture(scope="session")
def settings(dynamodb_local: str, credentials: None) -> DynamoSettings:
    """Tables of our own in DynamoDB Local, made once."""
    prefix = f"contract-{fresh()}-"
    return made_tables(settings_for(dynamodb_local, prefix), TABLES)


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Place]:
    """Where each engine has its data; DynamoDB Local is started only when a test needs it."""
    return {"embedded": tmp_path_factory.mktemp("contract") / "world.db"}


@pytest.fixture(params=["embedded", "dynamodb"])
def place(request: pytest.FixtureRequest, places: dict[str, Place]) -> Place:
    """Where the engine of this run has its data."""
    if request.param == "embedded":
        return places["embedded"]
    settings: DynamoSettings = request.getfixturevalue("settings")
    return settings


@pytest.fixture
def clock() -> Clock:
    """The engine's clock."""
    return Clock()


@pytest.fixture
async def engine(place: Place, clock: Clock) -> AsyncIterator[Engine]:
    """The engine under test."""
    async with opened(place, TABLES, clock) as engine:
        yield engine


@pytest.fixture
def store(engine: Engine) -> Store:
    """A store on the engine under test."""
    return Store(engine)
