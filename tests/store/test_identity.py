"""A store has an id, made once."""

from __future__ import annotations

import asyncio

from commonroom.store import Store
from commonroom.store.identity import identify, read_identity


async def test_all_who_ask_for_the_first_time_get_the_same(either: Store) -> None:
    assert await read_identity(either) is None
    found = await asyncio.gather(*(identify(either) for _ in range(5)))
    assert len(set(found)) == 1
    assert either.identity == await read_identity(either) == found[0]
