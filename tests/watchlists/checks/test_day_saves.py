"""How often a list was saved on a day is counted anew, and mended."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from commonroom.store import Store, delete
from commonroom.watchlists.rules.trending import day_of
from commonroom.watchlists.tables import DaySaves, Saver
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.checks.example import House
from tests.watchlists.examples import everything_of

store = either


@pytest.fixture
async def house(store: Store, clock: Watch) -> House:
    """A room in which somebody has saved a list today: only the last days count."""
    clock.now = time.time()
    return await House.furnished(store, clock)


def _today(house: House) -> DaySaves:
    return DaySaves(day=day_of(house.clock()), watchlist_id=house.hers.watchlist_id, saves=1)


async def _counts_wrong(house: House) -> None:
    await house.load(_today(house), saves=5)


async def _is_lost(house: House) -> None:
    await house.store.write(delete(_today(house)))


async def _has_nobody(house: House) -> None:
    saver = Saver.at(watchlist_id=house.hers.watchlist_id, user_id=house.ben.user_id)
    await house.store.write(delete(saver))


@pytest.mark.parametrize("breaks", [_counts_wrong, _is_lost, _has_nobody])
async def test_a_day_is_counted_anew(
    house: House, breaks: Callable[[House], Awaitable[Any]]
) -> None:
    assert await house.drift() == []
    await breaks(house)
    found = await house.drift()
    assert "trending" in [one.check for one in found], found
    assert all(one.repaired for one in await house.drift(repair=True))
    assert await house.drift() == []
    assert await everything_of(house.store.engine, DaySaves) == [_today(house)]
