"""Rounds: from a shortlist to how it was."""

from __future__ import annotations

import time

from commonroom.movienight.api import views
from commonroom.movienight.api.asking import HistoryPaging, films_of, seat_of
from commonroom.movienight.api.bodies import ChosenFilm, NewRound
from commonroom.movienight.service.rounds import (
    drafting,
    expiring,
    history,
    picking,
    reading,
    watching,
)
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need
from commonroom.web.answers import Answer
from commonroom.web.api_requests import ApiRequest
from commonroom.web.matching import IfNoneMatch, tagged
from commonroom.web.operations import get, part, post
from commonroom.web.paging import Listed

ALL = "/households/{group_id:str}/rounds"
ONE = f"{ALL}/{{round_id:str}}"
REFUSED = (404, 409)


@post(ALL, Need.SIGNED_IN, errors=REFUSED)
async def create_round(request: ApiRequest, group_id: str, new: NewRound) -> Answer[views.Round]:
    """Start a round with a shortlist for those who watch.

    A household has one open round at a time: 409 names it in `active_round_id`. Where too few have
    said what they like, 422 names them in `missing`.
    """
    seat = await seat_of(request, group_id)
    made = await drafting.create_round(
        request.store,
        time.time(),
        films_of(request),
        seat,
        attendees=new.attendees,
        wishes=new.from_wish_list,
    )
    return await _shown(request, seat, made.round_id, status=201)


@get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_rounds(
    request: ApiRequest, group_id: str, paging: HistoryPaging
) -> Answer[Listed[views.PastRound]]:
    """List the rounds of one's household, the newest first."""
    seat = await seat_of(request, group_id)
    found = await history.rounds(request.store, seat, limit=paging.limit, cursor=paging.cursor)
    return Answer(Listed([views.past_round(one) for one in found.items], found.cursor))


@get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_round(
    request: ApiRequest, group_id: str, round_id: str, if_none_match: IfNoneMatch
) -> Answer[views.Round]:
    """Get a round with its films, votes and results."""
    seat = await seat_of(request, group_id)
    seen = await reading.see_round(request.store, seat, round_id)
    return tagged(views.round_(seen), unless=if_none_match)


@post(f"{ONE}/shuffle", Need.SIGNED_IN, errors=REFUSED, status=200)
async def shuffle_round(request: ApiRequest, group_id: str, round_id: str) -> Answer[views.Round]:
    """Put other films on the shortlist of a draft."""
    seat = await seat_of(request, group_id)
    await drafting.shuffle(request.store, time.time(), films_of(request), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/start", Need.SIGNED_IN, errors=REFUSED, status=200)
async def start_voting(request: ApiRequest, group_id: str, round_id: str) -> Answer[views.Round]:
    """Let everybody vote."""
    seat = await seat_of(request, group_id)
    await drafting.start_voting(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/pick", Need.SIGNED_IN, errors=REFUSED, status=200)
async def pick_film(
    request: ApiRequest, group_id: str, round_id: str, chosen: ChosenFilm
) -> Answer[views.Round]:
    """Pick the film to watch."""
    seat = await seat_of(request, group_id)
    await picking.pick(request.store, time.time(), seat, round_id, chosen.tmdb_movie_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/reopen", Need.SIGNED_IN, errors=REFUSED, status=200)
async def reopen_round(request: ApiRequest, group_id: str, round_id: str) -> Answer[views.Round]:
    """Take the pick back and vote on."""
    seat = await seat_of(request, group_id)
    await picking.reopen(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/watched", Need.SIGNED_IN, errors=REFUSED, status=200)
async def mark_round_watched(
    request: ApiRequest, group_id: str, round_id: str
) -> Answer[views.Round]:
    """Say that the picked film was watched."""
    seat = await seat_of(request, group_id)
    await watching.mark_round_watched(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/expire", Need.SIGNED_IN, errors=REFUSED, status=200)
async def expire_round(request: ApiRequest, group_id: str, round_id: str) -> Answer[views.Round]:
    """End a round that came to nothing."""
    seat = await seat_of(request, group_id)
    await expiring.expire(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


async def _shown(
    request: ApiRequest, seat: Seat, round_id: str, status: int = 200
) -> Answer[views.Round]:
    seen = await reading.see_round(request.store, seat, round_id)
    return tagged(views.round_(seen), status=status)


OPERATIONS = part(
    "Movie night: rounds",
    create_round,
    list_rounds,
    get_round,
    shuffle_round,
    start_voting,
    pick_film,
    reopen_round,
    mark_round_watched,
    expire_round,
)
