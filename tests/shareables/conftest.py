from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.store import Table
from tests.shareables.furniture import TABLES


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of this room holds."""
    return TABLES
