import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import dynamodb_local as local
from tests.support.dynamodb_tables import ReusedDatabases, use_access_key

pytest_plugins = [
    "pytester",
    "tests.support.fixtures",
    "tests.support.people",
    "tests.support.forbid_skips",
    "tests.support.tiers",
    "tests.support.durations",
    "tests.support.rerun",
]
pytest.register_assert_rewrite("tests.support.who_may")  # so that it says which cells differ

# The same examples every time where a change must pass; elsewhere, others in every run.
# HYPOTHESIS_PROFILE=thorough looks much longer.
settings.register_profile("anywhere", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=2000)
usual = "ci" if os.environ.get("FORBID_SKIPS") == "1" else "anywhere"
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", usual))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Looks for no garbage while tests are collected, nor among them later: there is none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def dynamodb_local_jar() -> Path:
    """Where DynamoDB Local is on this machine."""
    try:
        return local.fetched()
    except local.Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def dynamodb_local(
    dynamodb_local_jar: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Give the endpoint of a real DynamoDB Local, for tests that have tables there for long.

    Every pair of access key and region is a database of its own there.
    """
    log = tmp_path_factory.mktemp("dynamodb-local") / "server.log"
    with local.running(dynamodb_local_jar, log) as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def dynamodb_databases(
    dynamodb_local_jar: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[local.Databases]:
    """Databases for one test each, which makes its own tables."""
    log = tmp_path_factory.mktemp("dynamodb-databases") / "server.log"
    databases = local.Databases(dynamodb_local_jar, log)
    yield databases
    databases.close()


@pytest.fixture(scope="session")
def reused_dynamodb_databases(
    dynamodb_local_jar: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ReusedDatabases]:
    """Databases with tables, which each test finds empty."""
    log = tmp_path_factory.mktemp("dynamodb-tables") / "server.log"
    databases = ReusedDatabases(dynamodb_local_jar, log)
    yield databases
    databases.close()


@pytest.fixture
def empty_dynamodb(dynamodb_databases: local.Databases, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the endpoint of a DynamoDB Local without any table, and the credentials for it."""
    endpoint, access_key = dynamodb_databases.another()
    use_access_key(monkeypatch, access_key)
    return endpoint
