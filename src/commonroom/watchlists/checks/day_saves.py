"""How often lists were saved on each of the last days, by which they trend."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from commonroom.moments import seconds
from commonroom.store import Store, as_read, create, update
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.each import find_each
from commonroom.watchlists.checks.counts import followers_of
from commonroom.watchlists.rules.trending import day_of, days_until
from commonroom.watchlists.tables import DaySaves, Watchlist


class DaySavesCheck:
    """Counts who saved a list on which day."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Which days count wrong."""
        found = [it.entity for it in things if isinstance(it.entity, Watchlist)]
        async for problem in find_each(store, _miscounted_days, found):
            yield problem


class _Days(Struct, frozen=True):
    """How often a list was saved on each of the last days, as it is counted and as it is."""

    counted: dict[str, int]
    known: dict[str, int]

    @property
    def wrong(self) -> dict[str, int]:
        """The right numbers of days that count wrong."""
        return {day: it for day, it in self.known.items() if self.counted.get(day, 0) != it}


async def _days_of(store: Store, one: Watchlist) -> _Days:
    days = days_until(time.time())
    known = Counter([day_of(seconds(it.saved_at)) async for it in followers_of(store, one)])
    refs = [DaySaves.at(day=day, watchlist_id=one.watchlist_id) for day in days]
    found = [it for it in await store.batch_get(refs) if it is not None]
    return _Days({it.day: it.saves for it in found}, {day: known[day] for day in days})


async def _miscounted_days(store: Store, one: Watchlist) -> list[Problem]:
    """Days that count wrong, where two looks see it alike."""
    days = await _days_of(store, one)
    if not days.wrong or days != await _days_of(store, one):
        return []
    return [_problem(one, day, days.counted.get(day), it) for day, it in days.wrong.items()]


def _problem(one: Watchlist, day: str, counted: int | None, known: int) -> Problem:
    """What a day counts wrong; following or unfollowing the list meanwhile changes that."""
    kept = DaySaves(day=day, watchlist_id=one.watchlist_id, saves=counted or 0)
    repair = (
        create(replace(kept, saves=known))
        if counted is None
        else update(kept.ref, saves=known, if_=as_read(kept, "saves"))
    )
    detail = f"It counts {kept.saves} for {day}, not {known}."
    return Problem("trending", one.schema.table.name, kept.ref.key, detail, (repair,))
