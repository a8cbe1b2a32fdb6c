"""Rating: how those who watched liked it."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from commonroom.movienight.pages.asking import seat_for, seat_in
from commonroom.movienight.pages.evenings import ONE
from commonroom.movienight.pages.steps import step
from commonroom.movienight.rules.rounds import Liked
from commonroom.movienight.service.rounds import rating
from commonroom.web.access import Need, needs
from commonroom.web.forms import Form, Line, Sent
from commonroom.web.request import Request


class RatingForm(Form):
    """How somebody at this screen liked it."""

    rating: Liked
    member_id: Line = ""


@post(f"{ONE}/rate", opt=needs(Need.SIGNED_IN), status_code=200)
async def rate(request: Request, round_id: FromPath[str], data: Sent[RatingForm]) -> Response[Any]:
    """Notes it, in place of what they said before."""
    seat = await seat_in(request)
    theirs = await seat_for(request, seat, data.member_id)
    doing = rating.rate(request.store, time.time(), theirs, round_id, data.rating)
    return await step(request, seat, round_id, doing)


HANDLERS = [rate]
