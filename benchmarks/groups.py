"""My hangouts over one group and over fifty: what each group adds to what is read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks import serving
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, cost
from benchmarks.rooms.declare import House
from benchmarks.rooms.hangouts import (
    AT,
    BUSY,
    MAKER,
    READER,
    group_id,
    groups,
    hangouts,
    membership,
    rsvp,
)
from benchmarks.visiting import visitors
from commonroom.accounts.tables import User
from commonroom.hangouts.service.pointers import new_pointers
from commonroom.hangouts.tables import HangoutPerson, inviter
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.store import Entity, create

GROUPS, HANGOUTS = 50, 200
ROUNDS, WARM_UP, CALLS = 20, 2, 24
AT_MOST = 3.0
MONTH = time.strftime("%Y-%m", time.gmtime(time.time() + 32 * 24 * 3600))
"""The next, or the one after."""
VIEWS = {
    "my hangouts as HTML": "/hangouts",
    "my month as HTML": f"/hangouts/month?month={MONTH}",
    "my upcoming hangouts by the API": "/api/v1/hangouts/upcoming",
    "my month by the API": f"/api/v1/hangouts/month?month={MONTH}",
}


async def compare(folder: Path, *, rounds: int = ROUNDS, calls: int = CALLS) -> list[Comparison]:
    """Lists of somebody in fifty groups, against the same hangouts in one group."""
    async with open_store(Settings(data=folder), create=True) as store:
        one, many = await _furnished(House(store, time.time()))
    with serving.ours(folder) as ours:
        await ours.first_answer("/health/live")
        await ours.idle()
        rows = []
        for name, path in VIEWS.items():
            sides = [
                await visitors(ours.port, path, cookie, alike=False, most=1)
                for cookie in (many, one)
            ]
            try:
                taken = await in_turns(
                    *(partial(side.ask, calls) for side in sides),
                    calls=calls,
                    rounds=rounds,
                    warm_up=WARM_UP,
                    clock=ours.cpu_seconds,
                )
            finally:
                for side in sides:
                    side.close()
            rows.append(
                cost(
                    f"{name}, {GROUPS} groups",
                    *typical(*taken),
                    rounds,
                    against="the same hangouts in one group",
                    sentence=f"{HANGOUTS} hangouts to come, in one group or in {GROUPS}; each is a "
                    "partition of its own, which takes a query.",
                    at_most=AT_MOST,
                )
            )
    return rows


async def _furnished(house: House) -> tuple[str, str]:
    """Somebody in one group and somebody in fifty, with as many hangouts; gives their cookies."""
    await house.store.write(*map(create, [BUSY, MAKER, READER]))
    things: list[Entity] = [*groups(GROUPS + 1)]
    things += _person_in(house, READER, [group_id(0)])
    things += _person_in(house, BUSY, [group_id(1 + number) for number in range(GROUPS)])
    await house.store.engine.load(inviter, [one.to_item() for one in things])
    return await house.cookie(READER), await house.cookie(BUSY)


def _person_in(house: House, person: User, ids: list[str]) -> Iterator[Entity]:
    yield HangoutPerson(user_id=person.user_id, groups=dict.fromkeys(ids, AT))
    each = HANGOUTS // len(ids)
    for number, of in enumerate(ids):
        yield membership(int(of[-12:], 16) - int(group_id(0)[-12:], 16), person)
        for hangout in hangouts(house.now, of, each, 300 * len(ids) + number * each):
            yield hangout
            yield from new_pointers(hangout)
            yield rsvp(hangout, person)
