"""After a list was followed or unfollowed: the ranking is made anew, after a while for many."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from commonroom.moments import iso, seconds
from commonroom.store import Store, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer
from commonroom.watchlists.rules.trending import DAYS, candidates, days_until, next_midnight, ranked
from commonroom.watchlists.service.access import load_lists
from commonroom.watchlists.tables import Saver, Trending, saves_of_day

RANK = "watchlists-trending"
EVERY = 5 * 60
MAX_PAUSE = 400
"""For how many days back it is looked whether old counts are left, where nothing ran for long."""


async def wait_to_rank(store: Store, change: Change) -> None:
    """Sets a timer for the end of the five minutes in which a list was followed; one for all."""
    if change.kind != "modify":
        due = (change.at // EVERY + 1) * EVERY
        await store.write(put(timer(RANK, due, {})))


async def rank_lists(store: Store, _waited: Timer, now: float) -> float | None:
    """Ranks, and asks to be called when the next day begins while there is anything to rank."""
    ranking = await rank(store, now)
    return next_midnight(now) if ranking.lists else None


async def rank(store: Store, now: float) -> Trending:
    """Ranks the lists that most people saved in the last seven days, and forgets older days."""
    saves: Counter[str] = Counter()
    for day in days_until(now):
        async for one in store.all(saves_of_day(day=day)):
            saves[one.watchlist_id] += one.saves
    found = await load_lists(store, [one for one, _ in candidates(saves)])
    ranking = Trending(ranked_at=iso(now), lists=ranked(found, saves))
    for day in await _old_days(store, now):
        await store.delete_all(saves_of_day(day=day))
    await store.write(put(ranking))
    return ranking


async def _old_days(store: Store, now: float) -> list[str]:
    """Days that no longer count, since it was last ranked."""
    before = await store.get(Trending.at())
    last_kept = datetime.fromtimestamp(now, UTC).date() - timedelta(days=DAYS)
    first = last_kept
    if before is not None:
        ranked_on = datetime.fromtimestamp(seconds(before.ranked_at), UTC).date()
        first = ranked_on - timedelta(days=DAYS)
    number = min((last_kept - first).days, MAX_PAUSE)
    return [(last_kept - timedelta(days=back)).isoformat() for back in range(number + 1)]


SAVED = Consumer("watchlists-saved", (Saver,), wait_to_rank, sets=(RANK,))

HANDLERS: dict[str, Handler] = {RANK: rank_lists}
