"""Rounds: from a shortlist to how it was."""

from __future__ import annotations

import time

from commonroom.movienight.api import views
from commonroom.movienight.api.asking import HistoryPaging, films_of, seat_of
from commonroom.movienight.api.bodies import FilmToPick, NewRound
from commonroom.movienight.service.rounds import (
    attending,
    drafting,
    expiring,
    history,
    picking,
    reading,
    watching,
)
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need
from commonroom.web.etags import IfNoneMatch, tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post, put
from commonroom.web.paging import Listed
from commonroom.web.request import Request

ALL = "/households/{group_id:str}/rounds"
ONE = f"{ALL}/{{round_id:str}}"
REFUSED = (404, 409)


@post(ALL, Need.SIGNED_IN, errors=REFUSED)
async def create_round(request: Request, group_id: str, new: NewRound) -> JsonResponse[views.Round]:
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
    request: Request, group_id: str, paging: HistoryPaging
) -> JsonResponse[Listed[views.PastRound]]:
    """List the rounds of one's household, the newest first."""
    seat = await seat_of(request, group_id)
    found = await history.rounds(request.store, seat, limit=paging.limit, cursor=paging.cursor)
    return JsonResponse(Listed([views.past_round(one) for one in found.items], found.cursor))


@get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_round(
    request: Request, group_id: str, round_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.Round]:
    """Get a round with its films, votes and results."""
    seat = await seat_of(request, group_id)
    seen = await reading.see_round(request.store, seat, round_id)
    return tagged(views.round_(seen), unless=if_none_match)


@post(f"{ONE}/shuffle", Need.SIGNED_IN, errors=REFUSED, status=200)
async def shuffle_round(
    request: Request, group_id: str, round_id: str
) -> JsonResponse[views.Round]:
    """Put other films on the shortlist of a draft."""
    seat = await seat_of(request, group_id)
    await drafting.shuffle(request.store, time.time(), films_of(request), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/start", Need.SIGNED_IN, errors=REFUSED, status=200)
async def start_voting(request: Request, group_id: str, round_id: str) -> JsonResponse[views.Round]:
    """Let everybody vote."""
    seat = await seat_of(request, group_id)
    await drafting.start_voting(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/pick", Need.SIGNED_IN, errors=REFUSED, status=200)
async def pick_film(
    request: Request, group_id: str, round_id: str, chosen: FilmToPick
) -> JsonResponse[views.Round]:
    """Pick the film to watch.

    Where somebody has not voted yet, that has to be meant.
    """
    seat = await seat_of(request, group_id)
    await picking.pick(
        request.store,
        time.time(),
        seat,
        round_id,
        chosen.tmdb_movie_id,
        even_if_votes_are_missing=chosen.even_if_votes_are_missing,
    )
    return await _shown(request, seat, round_id)


@post(f"{ONE}/reopen", Need.SIGNED_IN, errors=REFUSED, status=200)
async def reopen_round(request: Request, group_id: str, round_id: str) -> JsonResponse[views.Round]:
    """Take the pick back and vote on."""
    seat = await seat_of(request, group_id)
    await picking.reopen(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/watched", Need.SIGNED_IN, errors=REFUSED, status=200)
async def mark_round_watched(
    request: Request, group_id: str, round_id: str
) -> JsonResponse[views.Round]:
    """Say that the picked film was watched."""
    seat = await seat_of(request, group_id)
    await watching.mark_round_watched(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


@post(f"{ONE}/abandon", Need.SIGNED_IN, errors=REFUSED, status=200)
async def abandon_round(
    request: Request, group_id: str, round_id: str
) -> JsonResponse[views.Round]:
    """End an open round without a film: for whoever started it, and the creator."""
    seat = await seat_of(request, group_id)
    await expiring.abandon(request.store, time.time(), seat, round_id)
    return await _shown(request, seat, round_id)


@put(f"{ONE}/attendees/{{member_id:str}}", Need.SIGNED_IN, errors=(*REFUSED, 422))
async def add_attendee(
    request: Request, group_id: str, round_id: str, member_id: str
) -> JsonResponse[None]:
    """Let one more member take part in an open round.

    Everybody can add themselves and the members they manage; whoever started the round and the
    creator, anybody. Before the vote, the shortlist is made anew for them.
    """
    seat, films = await seat_of(request, group_id), films_of(request)
    await attending.add_attendee(request.store, time.time(), films, seat, round_id, member_id)
    return JsonResponse(None)


@delete(f"{ONE}/attendees/{{member_id:str}}", Need.SIGNED_IN, errors=(*REFUSED, 422))
async def remove_attendee(
    request: Request, group_id: str, round_id: str, member_id: str
) -> JsonResponse[None]:
    """Take a member out of an open round, and their votes along."""
    seat, films = await seat_of(request, group_id), films_of(request)
    await attending.remove_attendee(request.store, time.time(), films, seat, round_id, member_id)
    return JsonResponse(None)


async def _shown(
    request: Request, seat: Seat, round_id: str, status: int = 200
) -> JsonResponse[views.Round]:
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
    abandon_round,
    add_attendee,
    remove_attendee,
)
