"""Series: how a hangout repeats, and its dates."""

from __future__ import annotations

from commonroom.hangouts.api import series_views as views
from commonroom.hangouts.api.bodies import RepetitionGiven, repetition
from commonroom.hangouts.api.hangouts import ONE
from commonroom.hangouts.service import series
from commonroom.hangouts.service.access import open_hangout
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations

REPETITION = f"{ONE}/repetition"


api = Operations("Hangouts: series", errors=(404, 409, 429))


@api.put(REPETITION, Need.NOT_ACTING)
async def repeat_hangout(ctx: Ctx, hangout_id: str, given: RepetitionGiven) -> views.RepetitionView:
    """Let a hangout repeat, or let its series repeat otherwise from this one on.

    Its maker and the admins of its groups may. Dates that the series no longer has go: at once
    where nobody but the maker has answered, otherwise as cancelled.
    """
    wanted = repetition(given)
    await series.set_repetition(ctx, hangout_id, wanted)
    return views.repetition_view(wanted)


@api.delete(REPETITION, Need.NOT_ACTING)
async def end_repetition(ctx: Ctx, hangout_id: str) -> None:
    """Let a series end with this hangout; its maker and the admins of its groups may."""
    await series.set_repetition(ctx, hangout_id, None)


@api.get(f"{ONE}/dates", Need.SIGNED_IN, errors=(404,))
async def list_series_dates(ctx: Ctx, hangout_id: str) -> views.SeriesDates:
    """List the next hangouts of the series that a hangout is of."""
    access = await open_hangout(ctx, hangout_id)
    found = await series.upcoming_dates(ctx, access.hangout)
    return views.SeriesDates([views.series_date(one) for one in found])
