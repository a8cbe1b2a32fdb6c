"""Series go on as time goes by, and go with the last of their hangouts."""

from __future__ import annotations

from commonroom.hangouts.service.occurrences import MAKE
from commonroom.hangouts.service.series_edits import advance
from commonroom.hangouts.tables import Hangout, Series, hangouts_of_series
from commonroom.store import Store, delete
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer


async def go_on(store: Store, waited: Timer, now: float) -> float | None:
    """Makes and changes what is due of a series, and asks to be called for the next."""
    return await advance(store, now, waited.about["series_id"])


async def end_empty_series(store: Store, change: Change) -> None:
    """Deletes a series of which no hangout is left."""
    gone: Hangout | None = change.old
    if change.kind != "remove" or gone is None or gone.series_id is None:
        return
    left = await store.page(hangouts_of_series(series_id=gone.series_id), limit=1)
    if not left.items:
        await store.write(delete(Series.at(series_id=gone.series_id)))


SERIES = Consumer("hangouts-series", (Hangout,), end_empty_series)

HANDLERS: dict[str, Handler] = {MAKE: go_on}
