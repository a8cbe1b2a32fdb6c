"""An installation of its own for every test, and an environment without anybody's settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.commands import Commands
from tests.support.sample_data import THINGS, fill
from tests.support.world import fresh


@pytest.fixture(autouse=True)
def nobodys_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings and no credentials but those that a test gives."""
    for name in list(os.environ):
        if name.startswith(("COMMONROOM_", "AWS_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "no-credentials"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def commonroom(tmp_path: Path) -> Commands:
    """The commands of an installation that has not been started yet."""
    return Commands(tmp_path / "data")


@pytest.fixture
def lived_in(commonroom: Commands) -> Commands:
    """The commands of an installation with a user, a library, a collection and a book."""
    commonroom.ok("tables", "create")
    fill(commonroom.data / "commonroom.db", THINGS)
    return commonroom


@pytest.fixture
def on_dynamodb(tmp_path: Path, dynamodb_local: str) -> Commands:
    """The commands of an installation on DynamoDB Local, with no tables yet."""
    return Commands(
        tmp_path / "cloud",
        COMMONROOM_STORE="dynamodb",
        COMMONROOM_DYNAMODB_REGION="local",
        COMMONROOM_DYNAMODB_PREFIX=f"cli-{fresh()}-",
        COMMONROOM_DYNAMODB_ENDPOINT=dynamodb_local,
        AWS_ACCESS_KEY_ID="cli",
        AWS_SECRET_ACCESS_KEY="tests",
    )
