"""Every test that asks for a `place` runs twice: in a file, and in DynamoDB Local."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from tests.support.dynamodb_local import settings_for
from tests.support.engines import Place


@pytest.fixture(params=["embedded", "dynamodb"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A place that nobody has used."""
    if request.param == "embedded":
        return tmp_path / "shelf.db"
    endpoint: str = request.getfixturevalue("dynamodb_local")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", uuid.uuid4().hex)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    return settings_for(endpoint)
