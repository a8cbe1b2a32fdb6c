"""After a list was followed or unfollowed: the ranking is made anew, after a while for many."""

from __future__ import annotations

from commonroom.store import Store, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer
from commonroom.watchlists.rules.trending import next_midnight
from commonroom.watchlists.service.trending import rank
from commonroom.watchlists.tables import Saver

RANK = "watchlists-trending"
EVERY = 5 * 60


async def wait_to_rank(store: Store, change: Change) -> None:
    """Sets a timer for the end of the five minutes in which a list was followed; one for all."""
    if change.kind != "modify":
        due = (change.at // EVERY + 1) * EVERY
        await store.write(put(timer(RANK, due, {})))


async def rank_lists(store: Store, _waited: Timer, now: float) -> float | None:
    """Ranks, and asks to be called when the next day begins while there is anything to rank."""
    ranking = await rank(store, now)
    return next_midnight(now) if ranking.lists else None


SAVED = Consumer("watchlists-saved", (Saver,), wait_to_rank, sets=(RANK,))

HANDLERS: dict[str, Handler] = {RANK: rank_lists}
