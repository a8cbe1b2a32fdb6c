"""Series: hangouts that repeat, changed from one on; a timer carries that to the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules import series as rules
from commonroom.hangouts.service.access import HangoutAccess, open_hangout, retry
from commonroom.hangouts.service.edits import check_version, edited
from commonroom.hangouts.service.fields import EDITABLE, hangout_fields
from commonroom.hangouts.service.occurrences import SAID, begin_series, count_series, making
from commonroom.hangouts.service.places import keep_place
from commonroom.hangouts.service.pointers import save_edit
from commonroom.hangouts.tables import (
    Hangout,
    HangoutTemplate,
    Repetition,
    Series,
    SeriesEdit,
    SeriesPointer,
    dates_of_series,
)
from commonroom.moments import iso
from commonroom.store import Write, absent, equal, put, update

OF_ALL = EDITABLE - {"group_ids"}
"""What can be changed of all following; groups are chosen for each."""
SHOWN = 100


@retry
async def change_following(
    ctx: Context, hangout_id: str, given: Mapping[str, Any], *, version: int
) -> Hangout:
    """Changes a hangout and, after it, all that follow in its series.

    What one of these says otherwise, because it was changed by hand, stays. Three reads and
    one write; the others change within seconds.
    """
    if not given.keys() <= OF_ALL:
        raise InvalidField("group_ids", "Choose the groups of each hangout by itself.")
    cleaned = hangout_fields(given, ctx.person.time_zone, ctx.now)

    access = (await open_hangout(ctx, hangout_id)).editable()
    before = access.hangout
    check_version(before, version)
    fields, used = await keep_place(ctx, cleaned, access)
    series, slot = await _open_series(ctx, before)
    after = edited(before, fields, ctx.now)
    if after is before:
        return before
    template = _changed_template(series, slot, before, after)
    goes_on: Sequence[Write] = ()
    if template != series.template:
        after = replace(after, series_version=series.version + 1)
        pending = SeriesEdit(
            since=slot,
            before=series.template,
            by=ctx.person.user_id,
            group_ids=[one.group_id for one in access.memberships],
        )
        goes_on = _series_writes(ctx, series, pending, template=template)
    return await save_edit(ctx, access, after, *goes_on, *used)


def _changed_template(
    series: Series, slot: str, before: Hangout, after: Hangout
) -> HangoutTemplate:
    """The template with what changed of one hangout; in a watch party each has its own title."""
    shared = SAID - {"title"} if series.parts else SAID
    names = [one for one in shared if getattr(before, one) != getattr(after, one)]
    changed = replace(series.template, **{name: getattr(after, name) for name in names})
    if before.time == after.time:
        return changed
    if after.time is None:
        raise InvalidField("time", "A hangout that repeats needs a day.")
    away = rules.date_of(after.time) - date.fromisoformat(slot)
    return replace(changed, time=after.time, days_later=away.days)


@retry
async def set_repetition(ctx: Context, hangout_id: str, given: Repetition | None) -> Hangout:
    """Lets a hangout repeat, or lets its series repeat otherwise after it; None ends it there.

    What follows and is no longer a date of the series goes: at once where nobody but its maker
    has answered, otherwise as cancelled. Three reads and one write.
    """
    access = (await open_hangout(ctx, hangout_id)).manageable()
    if access.hangout.series_id is None:
        return await _begin(ctx, access, given)
    return await _change_rule(ctx, access, given)


async def _begin(ctx: Context, access: HangoutAccess, given: Repetition | None) -> Hangout:
    before = access.hangout
    if given is None:
        raise Conflict("This hangout does not repeat.")
    if before.cancelled_at is not None:
        raise Conflict("This hangout is cancelled.")
    is_on = before.momentum == "CONFIRMED"
    after, writes = begin_series(before, given, ctx.now, is_on=is_on)
    await count_series(ctx)
    after = replace(after, updated_at=iso(ctx.now))
    return await save_edit(ctx, access, after, *writes)


async def _change_rule(ctx: Context, access: HangoutAccess, given: Repetition | None) -> Hangout:
    hangout = access.hangout
    series, slot = await _open_series(ctx, hangout)
    day = date.fromisoformat(slot)
    wanted = (
        replace(series.repetition, until=slot, times=None)
        if given is None
        else rules.repetition(given, day, ctx.now)
    )
    changes: dict[str, Any] = {"repetition": wanted}
    if wanted.frequency != series.repetition.frequency or wanted.times is not None:
        # Counted from here, and what there is already is found when it is made.
        changes |= {"first": slot, "made_until": slot}
    admin_of = [one.group_id for one in access.memberships if one.role == "ADMIN"]
    pending = SeriesEdit(since=slot, by=ctx.person.user_id, group_ids=admin_of)
    goes_on = _series_writes(ctx, series, pending, **changes)
    await ctx.store.write(*goes_on, *access.still_allowed)
    return hangout


async def _open_series(ctx: Context, hangout: Hangout) -> tuple[Series, str]:
    """Returns the series of a hangout, and the date that the hangout stands for: one request."""
    if hangout.series_id is None or hangout.occurrence is None:
        raise Conflict("This hangout does not repeat.")
    series = await ctx.store.get(Series.at(series_id=hangout.series_id))
    if series is None:
        raise Conflict("This hangout does not repeat.")
    if series.pending is not None:
        raise Conflict("The last change of this series is still being made. Try again in a moment.")
    return series, hangout.occurrence


def _series_writes(
    ctx: Context, series: Series, pending: SeriesEdit, **changes: Any
) -> Sequence[Write]:
    """What changes a series, if nobody else does meanwhile, and the timer that goes on with it."""
    still = absent("pending") & equal(made_until=series.made_until, version=series.version)
    return [
        update(series, pending=pending, updated_at=iso(ctx.now), if_=still, **changes),
        put(making(series.series_id, ctx.now)),
    ]


async def upcoming_dates(ctx: Context, hangout: Hangout) -> list[SeriesPointer]:
    """Returns the next hangouts of a hangout's series that the caller may have: one request."""
    if hangout.series_id is None:
        return []
    asked = dates_of_series(series_id=hangout.series_id, after=int(ctx.now))
    found = (await ctx.store.page(asked, limit=SHOWN)).items
    # Another one may have other groups: it is shown by itself to those who may have it.
    return [one for one in found if one.group_ids == hangout.group_ids]
