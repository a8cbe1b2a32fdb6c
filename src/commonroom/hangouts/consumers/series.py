"""Series go on as time goes by, and go with the last of their hangouts."""

from __future__ import annotations

from contextlib import suppress

from commonroom.hangouts.service.occurrences import MAKE, making
from commonroom.hangouts.service.series_edits import advance
from commonroom.hangouts.tables import Hangout, Series, hangouts_of_series
from commonroom.store import ConditionFailed, Store, check, delete, put, stored
from commonroom.store.streams import Change, Consumer
from commonroom.timers import ActTimer, Handler, Timer


async def resume_series(store: Store, waited: Timer, now: float) -> float | None:
    """Makes and changes what is due of a series, and asks to be called for the next."""
    return await advance(store, now, waited.about["series_id"])


async def follow_hangout(store: Store, change: Change) -> None:
    """Deletes a series of which no hangout is left; lets a watch party move on."""
    before: Hangout | None = change.old
    if before is None or before.series_id is None:
        return
    if change.kind == "remove":
        left = await store.page(hangouts_of_series(series_id=before.series_id), limit=1)
        if not left.items:
            await store.write(delete(Series.at(series_id=before.series_id)))
            return
    is_skipped = change.new is None or before.cancelled_at != change.new.cancelled_at
    if before.part is not None and is_skipped:
        await _move_on(store, before.series_id, change.at)


async def _move_on(store: Store, series_id: str, at: float) -> None:
    """Lets the timer of a watch party look at its titles; twice does no harm."""
    with suppress(ConditionFailed):  # the series is gone
        await store.write(
            check(Series.at(series_id=series_id), if_=stored), put(making(series_id, at))
        )


SERIES = Consumer("hangouts-series", (Hangout,), follow_hangout, sets=(MAKE,))

HANDLERS: dict[str, Handler] = {MAKE: ActTimer(resume_series, (Series,))}
