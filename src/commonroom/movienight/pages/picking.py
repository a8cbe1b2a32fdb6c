"""The film of the evening: picking it, taking that back, having watched it."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from commonroom.movienight.api.bodies import FilmId
from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.evenings import ONE
from commonroom.movienight.pages.steps import step
from commonroom.movienight.service.films import marking
from commonroom.movienight.service.rounds import picking, watching
from commonroom.web.access import Need, needs
from commonroom.web.forms import Form, Sent
from commonroom.web.request import Request


class PickForm(Form):
    """The film to watch."""

    tmdb_movie_id: FilmId
    even_if_votes_are_missing: bool = False
    """Said in answer to a question: the page asks where somebody has not voted yet."""


@post(f"{ONE}/pick", opt=needs(Need.SIGNED_IN), status_code=200)
async def pick(request: Request, round_id: FromPath[str], data: Sent[PickForm]) -> Response[Any]:
    """Picks a film."""
    seat = await seat_in(request)
    doing = picking.pick(
        request.store,
        time.time(),
        seat,
        round_id,
        data.tmdb_movie_id,
        even_if_votes_are_missing=data.even_if_votes_are_missing,
    )
    return await step(request, seat, round_id, doing, "picked")


@post(f"{ONE}/reopen", opt=needs(Need.SIGNED_IN), status_code=200)
async def reopen(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """Back to the vote."""
    seat = await seat_in(request)
    doing = picking.reopen(request.store, time.time(), seat, round_id)
    return await step(request, seat, round_id, doing, "reopened")


@post(f"{ONE}/watched", opt=needs(Need.SIGNED_IN), status_code=200)
async def watched(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """They have watched it."""
    seat = await seat_in(request)
    doing = watching.mark_round_watched(request.store, time.time(), seat, round_id)
    return await step(request, seat, round_id, doing, "watched")


@post(f"{ONE}/unwatched", opt=needs(Need.SIGNED_IN), status_code=200)
async def unwatched(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """They have not, after all."""
    seat = await seat_in(request)
    doing = marking.undo_round_watched(request.store, time.time(), seat, round_id)
    return await step(request, seat, round_id, doing, "unwatched")


HANDLERS = [pick, reopen, watched, unwatched]
