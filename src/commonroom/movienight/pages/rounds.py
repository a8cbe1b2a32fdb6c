"""A round: its page, and what whoever steers it does with a draft."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.movienight.pages.asking import films_in, seat_in
from commonroom.movienight.pages.evenings import ONE, address_of
from commonroom.movienight.pages.steps import show_round, step
from commonroom.movienight.service.rounds import drafting, expiring
from commonroom.web.access import Need, needs
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

STEPS = (
    "shuffle",
    "start",
    "abandon",
    "vote",
    "withdraw",
    "pick",
    "reopen",
    "watched",
    "unwatched",
    "rate",
)


@get(ONE, opt=needs(Need.SIGNED_IN))
async def round_page(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """A round as it is now."""
    return await show_round(request, await seat_in(request), round_id)


@get([f"{ONE}/{step}" for step in STEPS], opt=needs(Need.SIGNED_IN), sync_to_thread=False)
def back_to_round(request: Request, round_id: FromPath[str]) -> Response[Any]:  # noqa: ARG001 - asked of nobody
    """Where a page leads that was shown because a step was refused."""
    return redirect(address_of(round_id))


@post(f"{ONE}/shuffle", opt=needs(Need.SIGNED_IN), status_code=200)
async def shuffle(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """Puts other films on the shortlist."""
    seat, films = await seat_in(request), films_in(request)
    doing = drafting.shuffle(request.store, time.time(), films, seat, round_id)
    return await step(request, seat, round_id, doing, "shuffled")


@post(f"{ONE}/start", opt=needs(Need.SIGNED_IN), status_code=200)
async def start_voting(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """Lets everybody vote."""
    seat = await seat_in(request)
    doing = drafting.start_voting(request.store, time.time(), seat, round_id)
    return await step(request, seat, round_id, doing, "voting-started")


@post(f"{ONE}/abandon", opt=needs(Need.SIGNED_IN), status_code=200)
async def abandon(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """Ends a round without a film."""
    seat = await seat_in(request)
    doing = expiring.abandon(request.store, time.time(), seat, round_id)
    return await step(request, seat, round_id, doing, "round-abandoned")


HANDLERS = [round_page, back_to_round, shuffle, start_voting, abandon]
