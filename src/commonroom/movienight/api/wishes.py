"""The wish list of a household."""

from __future__ import annotations

import time

from commonroom.movienight.api import views
from commonroom.movienight.api.asking import film_number, films_of, seat_of
from commonroom.movienight.api.bodies import ChosenFilm
from commonroom.movienight.service.films import wishing
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post
from commonroom.web.paging import Listed
from commonroom.web.request import Request

ALL = "/households/{group_id:str}/wishes"


@get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_wishes(request: Request, group_id: str) -> JsonResponse[Listed[views.Wish]]:
    """List the films that somebody in the household wants to see, the newest wish first."""
    seat = await seat_of(request, group_id)
    found = await wishing.wishes(request.store, seat)
    return JsonResponse(Listed([views.wish(one) for one in found], None))


@post(ALL, Need.SIGNED_IN, errors=(404, 409))
async def add_wish(request: Request, group_id: str, film: ChosenFilm) -> JsonResponse[views.Wish]:
    """Put a film on the wish list."""
    seat = await seat_of(request, group_id)
    made = await wishing.add_wish(
        request.store, time.time(), films_of(request), seat, film.tmdb_movie_id
    )
    return JsonResponse(views.wish(made), status=201)


@delete(f"{ALL}/{{tmdb_movie_id:str}}", Need.SIGNED_IN, errors=(404, 409))
async def remove_wish(request: Request, group_id: str, tmdb_movie_id: str) -> JsonResponse[None]:
    """Take a film off the wish list; whoever put it there may, and the creator."""
    seat = await seat_of(request, group_id)
    await wishing.remove_wish(request.store, time.time(), seat, film_number(tmdb_movie_id))
    return JsonResponse(None)


OPERATIONS = part("Movie night: wish list", list_wishes, add_wish, remove_wish)
