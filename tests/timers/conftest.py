"""Every test that asks for `store` runs twice: embedded, and on DynamoDB Local."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.store import Table
from commonroom.timers.tables import tables as tables_of_timers
from tests.support.fixtures import either

store = either


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of timers holds."""
    return tables_of_timers
