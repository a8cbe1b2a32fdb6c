"""Whether a worker is there: with one file the servers are it, elsewhere it gives signs."""

from __future__ import annotations

import pytest

from commonroom.store import Store, put
from commonroom.store.streams.tables import WorkerSign, worker_sign
from commonroom.store.streams.workers import (
    MAX_SILENCE_SECONDS,
    SIGN_SECONDS,
    giving_signs,
    has_worker,
)
from tests.accounts.people import Watch
from tests.support.clocks import SET_BACK


async def test_with_one_file_the_servers_do_the_work(embedded: Store, clock: Watch) -> None:
    assert await has_worker(embedded, clock())


async def test_elsewhere_one_must_have_been_seen_lately(dynamodb: Store, clock: Watch) -> None:
    assert not await has_worker(dynamodb, clock())
    async with giving_signs(dynamodb, clock):
        while await dynamodb.get(worker_sign(consumer="worker")) is None:
            pass
    assert await has_worker(dynamodb, clock() + SIGN_SECONDS)
    assert not await has_worker(dynamodb, clock() + MAX_SILENCE_SECONDS)


@pytest.mark.parametrize("ahead", SET_BACK)
async def test_the_sign_of_a_clock_that_was_ahead_is_none(
    dynamodb: Store, clock: Watch, ahead: float
) -> None:
    await dynamodb.write(put(WorkerSign(seen_at=clock() + ahead)))
    assert not await has_worker(dynamodb, clock())
