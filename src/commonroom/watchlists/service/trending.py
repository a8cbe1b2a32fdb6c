"""Trending: the saves of the last days, ranked into one item from which pages read."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta

from commonroom.moments import iso, seconds
from commonroom.store import Store, put
from commonroom.watchlists.rules.trending import DAYS, candidates, days_until, ranked
from commonroom.watchlists.tables import Trending, Watchlist, saves_of_day

MAX_PAUSE = 400
"""For how many days back it is looked whether old counts are left, where nothing ran for long."""


async def rank(store: Store, now: float) -> Trending:
    """Ranks the lists that most people saved in the last seven days, and forgets older days."""
    saves: Counter[str] = Counter()
    for day in days_until(now):
        async for one in store.all(saves_of_day(day=day)):
            saves[one.watchlist_id] += one.saves
    refs = [Watchlist.at(watchlist_id=one) for one, _ in candidates(saves)]
    found = await store.batch_get(refs)
    ranking = Trending(
        ranked_at=iso(now), lists=ranked([one for one in found if one is not None], saves)
    )
    for day in await _old_days(store, now):
        await store.delete_all(saves_of_day(day=day))
    await store.write(put(ranking))
    return ranking


async def _old_days(store: Store, now: float) -> list[str]:
    """Days that no longer count, since it was last ranked."""
    before = await store.get(Trending.at())
    last_kept = datetime.fromtimestamp(now, UTC).date() - timedelta(days=DAYS)
    first = last_kept if before is None else _day(before.ranked_at) - timedelta(days=DAYS)
    number = min((last_kept - first).days, MAX_PAUSE)
    return [(last_kept - timedelta(days=back)).isoformat() for back in range(number + 1)]


def _day(moment: str) -> date:
    return datetime.fromtimestamp(seconds(moment), UTC).date()
