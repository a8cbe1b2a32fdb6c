"""Every test that asks for a `place` runs twice: in a file, and in DynamoDB Local."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.dynamodb_local import settings_for
from tests.support.engines import Place


@pytest.fixture(params=["embedded", "dynamodb"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place that nobody has used."""
    if request.param == "embedded":
        return tmp_path / "shelf.db"
    endpoint: str = request.getfixturevalue("empty_dynamodb")
    return settings_for(endpoint)
