"""Every test here that asks for `store` runs twice: embedded, and on DynamoDB Local."""

from __future__ import annotations

from tests.support.fixtures import either

store = either
