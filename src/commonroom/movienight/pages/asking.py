"""What a page of movie night needs to know of a request."""

from __future__ import annotations

from typing import Annotated, cast

from litestar.params import QueryParameter

from commonroom.accounts.rules import may_act_as
from commonroom.catalog.film_source import FilmSource
from commonroom.errors import NotFound
from commonroom.movienight.service.members.listing import member_in
from commonroom.movienight.service.seats import Seat, my_seat
from commonroom.web.request import Request

Title = Annotated[str, QueryParameter(max_length=1000)]
"""What somebody looks for: a title, or part of one."""


async def seat_in(request: Request) -> Seat:
    """The seat of whoever asks, in their household: one request."""
    caller = request.caller
    seat = await my_seat(request.store, caller.person, caller.member)
    if seat is None:
        raise NotFound(
            "You are not in a household yet. Create one, or ask someone for an invitation."
        )
    return seat


async def seat_for(request: Request, seat: Seat, member_id: str) -> Seat:
    """The seat of somebody at this screen: whoever asks, or a managed member of theirs."""
    if member_id in ("", seat.member_id):
        return seat
    member = await member_in(request.store, seat.group_id, member_id)
    # Who acts for a child already is that child here, who acts for nobody.
    return Seat(seat.group, seat.person, may_act_as(seat.member, member))


def films_in(request: Request) -> FilmSource:
    """The film source of this installation."""
    return cast("FilmSource", request.app.state.films)
