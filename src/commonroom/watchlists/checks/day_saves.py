"""How often lists were saved on each of the last days, by which they trend."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from commonroom.moments import seconds
from commonroom.store import Store, as_read, create, update
from commonroom.store.checking import Problem
from commonroom.store.checking.snapshots import SnapshotCheck
from commonroom.watchlists.checks.counts import followers_of
from commonroom.watchlists.rules.trending import day_of, days_until
from commonroom.watchlists.tables import DaySaves, Watchlist


class DaySnapshot(Struct, frozen=True):
    """How often a list was saved on each of the last days, as it is counted and as it is."""

    counted: dict[str, int]
    known: dict[str, int]


async def _take_snapshot(store: Store, one: Watchlist) -> DaySnapshot:
    days = days_until(time.time())
    known = Counter([day_of(seconds(it.saved_at)) async for it in followers_of(store, one)])
    refs = [DaySaves.at(day=day, watchlist_id=one.watchlist_id) for day in days]
    found = [it for it in await store.batch_get(refs) if it is not None]
    return DaySnapshot({it.day: it.saves for it in found}, {day: known[day] for day in days})


def _find_problems(one: Watchlist, days: DaySnapshot) -> Iterator[Problem]:
    """Yields days that count wrong; following or unfollowing the list meanwhile changes that."""
    for day, known in days.known.items():
        counted = days.counted.get(day)
        if (counted or 0) != known:
            kept = DaySaves(day=day, watchlist_id=one.watchlist_id, saves=counted or 0)
            repair = (
                create(replace(kept, saves=known))
                if counted is None
                else update(kept.ref, saves=known, if_=as_read(kept, "saves"))
            )
            yield Problem.of(
                "trending", kept, f"It counts {kept.saves} for {day}, not {known}.", repair
            )


DAY_SAVES = SnapshotCheck(Watchlist, _take_snapshot, _find_problems)
