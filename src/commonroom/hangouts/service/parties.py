"""Watch parties as they go on: titles move along where a date is skipped or comes back."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.rules.parties import Arrangement, arrange, party_title
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.occurrences import BATCH
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.service.removals import removal_writes
from commonroom.hangouts.tables import Hangout, Series, hangouts_of_series
from commonroom.moments import iso
from commonroom.store import Ref, Store, Write, check, equal, update


async def move_on(store: Store, now: float, series: Series) -> int | None:
    """Sets the title of every hangout of a party, and ends what has none left.

    Returns the title that comes next; None where there is more to do. Twice does no harm: what each
    should be is worked out from what is stored. A request for every hundred dates, and a read and
    a write for each that changes.
    """
    rows = [one async for one in store.all(hangouts_of_series(series_id=series.series_id))]
    found = await store.batch_get([Hangout.at(hangout_id=one.hangout_id) for one in rows])
    hangouts = [one for one in found if one is not None]
    wanted = arrange(hangouts, len(series.parts), now)
    left = [one for one in hangouts if _is_otherwise(one, wanted)]
    for one in left[:BATCH]:
        await _change(store, now, series, one, wanted)
    return wanted.next_part if len(left) <= BATCH else None


def _is_otherwise(one: Hangout, wanted: Arrangement) -> bool:
    part = wanted.parts.get(one.hangout_id, one.part)
    return one.part != part or one.hangout_id in wanted.surplus


@retry
async def _change(
    store: Store, now: float, series: Series, seen: Hangout, wanted: Arrangement
) -> None:
    """Changes one hangout, unless a person changed whether it is on in between."""
    refs: list[Ref[Any]] = [series.ref, seen.ref]
    part = wanted.parts.get(seen.hangout_id)

    current, hangout = await store.batch_get(refs)
    if current is None or hangout is None or current.version != series.version:
        return
    if hangout.cancelled_at is not None or hangout.part == part:
        return  # the next look at the party finds what follows from that
    if part is None:
        writes = removal_writes(hangout, now, series.version, series.created_by)
    else:
        writes = _retitle(hangout, now, series, part)
    await store.write(*writes, check(series.ref, if_=equal(version=series.version)))


def _retitle(hangout: Hangout, now: float, series: Series, part: int) -> list[Write]:
    """Changes a hangout's title, unless a person changed it by hand."""
    before = None if hangout.part is None else series.parts[hangout.part]
    name = series.template.title
    if before is None or hangout.title != party_title(name, before):
        same = equal(version=hangout.version)
        return [update(hangout.ref, part=part, if_=same)]
    title = party_title(name, series.parts[part])
    after = replace(hangout, title=title, part=part, updated_at=iso(now))
    return edit_writes(hangout, after, by=series.created_by)[1]
