"""What everybody does in a round: propose, vote, rate."""

from __future__ import annotations

import time

from commonroom.movienight.api.asking import film_number, films_of, seat_of
from commonroom.movienight.api.bodies import ChosenFilm, RatingGiven, VoteCast
from commonroom.movienight.service.rounds import proposing, rating, voting
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, part, post, put
from commonroom.web.request import Request

ONE = "/households/{group_id:str}/rounds/{round_id:str}"
FILM = "{tmdb_movie_id:str}"
REFUSED = (404, 409)


@post(f"{ONE}/proposals", Need.SIGNED_IN, errors=REFUSED)
async def propose_film(
    request: Request, group_id: str, round_id: str, film: ChosenFilm
) -> JsonResponse[None]:
    """Propose a film to a round that is being voted on."""
    seat = await seat_of(request, group_id)
    await proposing.propose(
        request.store, time.time(), films_of(request), seat, round_id, film.tmdb_movie_id
    )
    return JsonResponse(None)


@delete(f"{ONE}/proposals/{FILM}", Need.SIGNED_IN, errors=REFUSED)
async def withdraw_proposal(
    request: Request, group_id: str, round_id: str, tmdb_movie_id: str
) -> JsonResponse[None]:
    """Take a proposed film back, with its votes."""
    seat = await seat_of(request, group_id)
    await proposing.withdraw_proposal(
        request.store, time.time(), seat, round_id, film_number(tmdb_movie_id)
    )
    return JsonResponse(None)


@put(f"{ONE}/votes/{FILM}", Need.SIGNED_IN, errors=REFUSED)
async def vote(
    request: Request, group_id: str, round_id: str, tmdb_movie_id: str, cast: VoteCast
) -> JsonResponse[None]:
    """Vote on a film; voting again changes the vote."""
    seat = await seat_of(request, group_id)
    await voting.vote(
        request.store, time.time(), seat, round_id, film_number(tmdb_movie_id), cast.vote
    )
    return JsonResponse(None)


@delete(f"{ONE}/votes/{FILM}", Need.SIGNED_IN, errors=REFUSED)
async def withdraw_vote(
    request: Request, group_id: str, round_id: str, tmdb_movie_id: str
) -> JsonResponse[None]:
    """Take a vote back."""
    seat = await seat_of(request, group_id)
    await voting.withdraw_vote(
        request.store, time.time(), seat, round_id, film_number(tmdb_movie_id)
    )
    return JsonResponse(None)


@put(f"{ONE}/rating", Need.SIGNED_IN, errors=REFUSED)
async def rate(
    request: Request, group_id: str, round_id: str, given: RatingGiven
) -> JsonResponse[None]:
    """Say how one liked it; saying so again changes it."""
    seat = await seat_of(request, group_id)
    await rating.rate(request.store, time.time(), seat, round_id, given.rating)
    return JsonResponse(None)


OPERATIONS = part("Movie night: voting", propose_film, withdraw_proposal, vote, withdraw_vote, rate)
