"""Where agendas lack hangouts, as after an upgrade, the check finds and mends that."""

from __future__ import annotations

import time

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import agenda
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.agendas import agenda_of, check_agendas
from tests.hangouts.checks.example import drift
from tests.hangouts.friends import DAY, HOUR, crowd_of, group_of, hangout_of, starts_in, tidied


async def test_what_is_missing_is_named_and_mended(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    clock.now = time.time() - 2 * HOUR
    friends = await group_of(store, clock, ada, ben)
    crowd = await crowd_of(store, clock, friends, 60)
    for day in (None, starts_in(clock, DAY)):
        await hangout_of(store, clock, ada, friends, time=day)
    await tidied(store, clock)
    for who in (ada, ben, *crowd):
        await store.delete_all(agenda(user_id=who.user_id))
    found = await drift(store)
    assert {one.detail for one in found} == {"It is missing from somebody’s agenda."}
    assert all(one.repaired for one in await drift(store, repair=True))
    assert await drift(store) == []
    assert [len(await agenda_of(store, one)) for one in crowd] == [2] * 60
    await check_agendas(store.engine, clock())


async def test_what_was_just_made_is_not_missed(store: Store, clock: Watch, ada: User) -> None:
    clock.now = time.time()
    await hangout_of(store, clock, ada)
    assert await drift(store) == []
