"""Every test here that asks for `store` runs twice: embedded, and on DynamoDB Local."""

from __future__ import annotations

import pytest

from commonroom.store import Store


@pytest.fixture(params=["embedded", "dynamodb"])
def store(request: pytest.FixtureRequest) -> Store:
    """An empty store."""
    store: Store = request.getfixturevalue(request.param)
    return store
