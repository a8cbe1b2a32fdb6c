from __future__ import annotations

import uuid

import pytest


@pytest.fixture
def empty_dynamodb(dynamodb_local: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The endpoint of a DynamoDB Local without any table."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", uuid.uuid4().hex)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    return dynamodb_local
