from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from commonroom.outgoing.address_guard import Network
from commonroom.outgoing.fetcher import Fetcher


class Fetchers:
    """Makes fetchers, which are closed after the test."""

    def __init__(self) -> None:
        self.made: list[Fetcher] = []

    def __call__(self, *trusted: str, network: Network | None = None) -> Fetcher:
        self.made.append(Fetcher(trusted, network))
        return self.made[-1]


@pytest.fixture
async def fetchers() -> AsyncIterator[Fetchers]:
    """Makes fetchers that trust the addresses given."""
    fetchers = Fetchers()
    yield fetchers
    for one in fetchers.made:
        await one.close()
