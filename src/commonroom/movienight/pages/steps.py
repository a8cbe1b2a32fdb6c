"""The page of a round, and the steps that lead back to it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from litestar import Response

from commonroom.errors import CommonroomError, Forbidden, NotFound, Refusal
from commonroom.movienight.pages.evenings import Evening, address_of, evening_of
from commonroom.movienight.service.rounds.reading import see_round
from commonroom.movienight.service.seats import Seat
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request


async def evening_in(request: Request, seat: Seat, round_id: str) -> Evening:
    """A round as it is now: four requests."""
    return evening_of(seat, await see_round(request.store, seat, round_id))


async def show_round(
    request: Request, seat: Seat, round_id: str, refusal: CommonroomError | None = None
) -> Response[Any]:
    """The page of a round as it is now, perhaps with why something could not be done."""
    evening = await evening_in(request, seat, round_id)
    template = "movienight/round.html"
    if refusal is None:
        return render(request, template, evening=evening, form=EMPTY, elsewhere=None)
    return render_refused(
        request,
        template,
        refusal,
        evening=evening,
        form=Filled(wrong_altogether=refusal.detail),
        elsewhere=refusal.extensions.get("active_round_id"),
    )


async def step(
    request: Request, seat: Seat, round_id: str, doing: Awaitable[object], say: str | None = None
) -> Response[Any]:
    """Takes a step and leads to the round; where it is refused, the round as it is now says why."""
    try:
        await doing
    except (NotFound, Forbidden):
        raise
    except Refusal as refusal:
        return await show_round(request, seat, round_id, refusal)
    return redirect(address_of(round_id), say)
