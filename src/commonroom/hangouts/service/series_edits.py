"""Changes of a whole series as they reach its hangouts: one after the other, each once."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.rules import series as rules
from commonroom.hangouts.rules.times import is_over
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.edits import edited
from commonroom.hangouts.service.occurrences import (
    BATCH,
    SAID,
    fields_on,
    make_more,
)
from commonroom.hangouts.service.parties import move_on
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.service.removals import removal_writes
from commonroom.hangouts.tables import (
    Hangout,
    HangoutTemplate,
    Series,
    SeriesEdit,
    SeriesPointer,
    hangouts_of_series,
)
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    absent,
    check,
    equal,
    update,
)


async def advance(store: Store, now: float, series_id: str) -> float | None:
    """Goes on with a series: changes what is to change, then makes what is missing.

    Returns the moment to go on; an interrupted run finds what is left.
    """
    series = await store.get(Series.at(series_id=series_id))
    if series is None:
        return None
    if series.pending is None:
        next_part = await move_on(store, now, series) if series.parts else 0
        return now if next_part is None else await make_more(store, now, series, next_part)
    left = await _left_to_change(store, now, series, series.pending)
    for one in left[:BATCH]:
        await _change(store, now, series, one)
    if len(left) <= BATCH:
        await _finish(store, series)
    return now


async def _finish(store: Store, series: Series) -> None:
    try:
        await store.write(update(series.ref, pending=None, if_=equal(version=series.version)))
    except ConditionFailed:
        return  # another was faster


async def _left_to_change(
    store: Store, now: float, series: Series, pending: SeriesEdit
) -> list[str]:
    """Returns the hangouts that the change has not reached yet, by their ids."""
    rows = [
        one
        async for one in store.all(hangouts_of_series(series_id=series.series_id))
        if one.occurrence is not None
        and one.occurrence >= pending.since
        and (one.created_by == pending.by or set(one.group_ids) & set(pending.group_ids))
        and not is_over(one, now)
    ]
    if pending.before is None:
        return _no_longer(series, pending, rows)
    found = await store.batch_get([Hangout.at(hangout_id=one.hangout_id) for one in rows])
    return [
        one.hangout_id
        for one in found
        if one is not None and (one.series_version or 0) < series.version
    ]


def _no_longer(series: Series, pending: SeriesEdit, rows: list[SeriesPointer]) -> list[str]:
    """Returns those whose dates the series has no longer; a cancelled one is as good as gone."""
    last = max((date.fromisoformat(one.occurrence or "") for one in rows), default=None)
    if last is None:
        return []
    first = date.fromisoformat(series.first)
    there = {one.isoformat() for one in rules.dates(first, series.repetition, last + timedelta(1))}
    return [
        one.hangout_id
        for one in rows
        if one.occurrence != pending.since
        and one.occurrence not in there
        and one.cancelled_at is None
    ]


@retry
async def _change(store: Store, now: float, series: Series, hangout_id: str) -> None:
    """Changes one hangout, unless another has done so, or is done with all of them."""
    refs: list[Ref[Any]] = [series.ref, Hangout.at(hangout_id=hangout_id)]

    current, hangout = await store.batch_get(refs)
    if current is None or hangout is None or current.version != series.version:
        return
    pending = current.pending
    if pending is None:
        return
    if pending.before is None:
        writes = removal_writes(hangout, now, series.version, pending.by)
    elif (hangout.series_version or 0) < series.version:
        writes = _edit(hangout, now, series, pending.before, pending.by)
    else:
        return
    held = check(series.ref, if_=equal(version=series.version) & ~absent("pending"))
    await store.write(*writes, held)


def _edit(
    hangout: Hangout, now: float, series: Series, before: HangoutTemplate, by: str
) -> list[Write]:
    """Returns what the series changes of a hangout, but for what it said otherwise before."""
    fields = _taken_over(hangout, before, series.template)
    after = edited(hangout, fields, now)
    if after is hangout:
        held = equal(version=hangout.version)
        return [update(hangout.ref, series_version=series.version, if_=held)]
    return edit_writes(hangout, replace(after, series_version=series.version), by=by)[1]


def _taken_over(hangout: Hangout, before: HangoutTemplate, now: HangoutTemplate) -> dict[str, Any]:
    slot = hangout.occurrence or ""
    old, new = fields_on(before, slot), fields_on(now, slot)
    names = {one for one in SAID if getattr(hangout, one) == old[one]}
    if hangout.time == old["time"]:
        names |= {"time", "start_timestamp", "end_timestamp"}
    return {name: new[name] for name in names}
