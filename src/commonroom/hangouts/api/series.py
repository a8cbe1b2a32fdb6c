"""Series: how a hangout repeats, and its dates."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.api.time_and_place import Epoch, Time, time_view
from commonroom.hangouts.rules.series import MAX_TIMES
from commonroom.hangouts.service import series
from commonroom.hangouts.service.access import open_hangout
from commonroom.hangouts.tables import Frequency
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.projections import Through, projection

REPETITION = f"{addresses.HANGOUT}/repetition"


api = Operations("Hangouts: series", errors=(404, 409, 429))


class RepetitionGiven(Body):
    """How a hangout repeats; without an end it goes on, and is made up to a year ahead."""

    frequency: Annotated[
        Frequency,
        Meta(
            description="`MONTHLY_BY_DAY`: on the same day of the month, or its last; "
            "`MONTHLY_BY_WEEKDAY`: on the second Friday, say."
        ),
    ]
    until: Annotated[
        Annotated[str, Meta(max_length=100)] | None,
        Meta(description="The last day there can be: `2027-06-30`."),
    ] = None
    times: Annotated[int | None, Meta(description=f"How often in all, 2 to {MAX_TIMES}.")] = None


class RepetitionView(Struct, frozen=True):
    """How a hangout repeats."""

    frequency: Frequency
    until: str | None
    times: int | None


class SeriesDate(Struct, frozen=True):
    """One hangout of a series."""

    hangout_id: str
    title: str
    time: Time | None
    start_timestamp: Epoch | None
    cancelled_at: Moment | None
    going_count: int


class SeriesDates(Struct, frozen=True):
    """The next hangouts of a series, the earliest first: a hundred at most."""

    items: list[SeriesDate]


repetition_view = projection(tables.Repetition, RepetitionView)
series_date = projection(tables.HangoutSummary, SeriesDate, time=Through(time_view))


def repetition(given: RepetitionGiven) -> tables.Repetition:
    """Returns how something repeats, as services take it."""
    return tables.Repetition(**msgspec.structs.asdict(given))


@api.put(REPETITION, Need.NOT_ACTING)
async def repeat_hangout(ctx: Ctx, hangout_id: str, given: RepetitionGiven) -> RepetitionView:
    """Let a hangout repeat, or let its series repeat otherwise from this one on.

    Its maker and the admins of its groups may. Dates that the series no longer has go: at once
    where nobody but the maker has answered, otherwise as cancelled.
    """
    wanted = repetition(given)
    await series.set_repetition(ctx, hangout_id, wanted)
    return repetition_view(wanted)


@api.delete(REPETITION, Need.NOT_ACTING)
async def end_repetition(ctx: Ctx, hangout_id: str) -> None:
    """Let a series end with this hangout; its maker and the admins of its groups may."""
    await series.set_repetition(ctx, hangout_id, None)


@api.get(f"{addresses.HANGOUT}/dates", Need.SIGNED_IN, errors=(404,))
async def list_series_dates(ctx: Ctx, hangout_id: str) -> SeriesDates:
    """List the next hangouts of the series that a hangout is of."""
    access = await open_hangout(ctx, hangout_id)
    found = await series.upcoming_dates(ctx, access.hangout)
    return SeriesDates([series_date(one) for one in found])
