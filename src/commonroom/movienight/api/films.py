"""Films: finding them, what the household knows of them, and what there is to choose from."""

from __future__ import annotations

import time
from typing import Annotated

from msgspec import Meta, Struct

from commonroom.catalog.genres import GENRES
from commonroom.catalog.streaming_services import SERVICES
from commonroom.movienight.api import views
from commonroom.movienight.api.asking import HistoryPaging, film_number, films_of, seat_of
from commonroom.movienight.service.films import marking, story
from commonroom.movienight.service.rounds import history
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, put
from commonroom.web.paging import Listed
from commonroom.web.request import Request

HOUSEHOLD = "/households/{group_id:str}"


class Sought(Struct, frozen=True, forbid_unknown_fields=True):
    """Which films to look for."""

    title: Annotated[
        str, Meta(min_length=1, max_length=100, description="A title, or part of one.")
    ]


@get("/films", Need.SIGNED_IN)
async def search_films(request: Request, sought: Sought) -> JsonResponse[Listed[views.Film]]:
    """Search films by title, the likeliest first."""
    found = await films_of(request).search(sought.title)
    return JsonResponse(Listed([views.film(one) for one in found], None))


@get(f"{HOUSEHOLD}/films/{{tmdb_movie_id:str}}", Need.SIGNED_IN, errors=(404,))
async def get_film(
    request: Request, group_id: str, tmdb_movie_id: str
) -> JsonResponse[views.FilmStory]:
    """Get a film, and what the household knows of it."""
    seat = await seat_of(request, group_id)
    found = await story.film_story(
        request.store, films_of(request), seat, film_number(tmdb_movie_id)
    )
    return JsonResponse(views.film_story(found))


@get(f"{HOUSEHOLD}/watched", Need.SIGNED_IN, errors=(404,))
async def list_watched(
    request: Request, group_id: str, paging: HistoryPaging
) -> JsonResponse[Listed[views.PastFilm]]:
    """List all films that the household watched, in a round or not, the last one first."""
    seat = await seat_of(request, group_id)
    found = await history.films(request.store, seat, limit=paging.limit, cursor=paging.cursor)
    return JsonResponse(Listed([views.past_film(one) for one in found.items], found.cursor))


@put(f"{HOUSEHOLD}/watched/{{tmdb_movie_id:str}}", Need.SIGNED_IN, errors=(404, 409))
async def mark_film_watched(
    request: Request, group_id: str, tmdb_movie_id: str
) -> JsonResponse[None]:
    """Say that the household has watched a film.

    Where a round has picked it, this is the same as marking that round as watched.
    """
    seat = await seat_of(request, group_id)
    number = film_number(tmdb_movie_id)
    await marking.mark_watched(request.store, time.time(), films_of(request), seat, number)
    return JsonResponse(None)


@delete(f"{HOUSEHOLD}/watched/{{tmdb_movie_id:str}}", Need.SIGNED_IN, errors=(404, 409))
async def unmark_film_watched(
    request: Request, group_id: str, tmdb_movie_id: str
) -> JsonResponse[None]:
    """Take that back, within a day: for whoever said so, and the creator.

    What followed goes back too: the film's round to its pick, its wish to the wish list. Ratings
    stay.
    """
    seat = await seat_of(request, group_id)
    await marking.undo_watched(request.store, time.time(), seat, film_number(tmdb_movie_id))
    return JsonResponse(None)


@get("/genres", Need.SIGNED_IN)
async def list_genres(request: Request) -> JsonResponse[Listed[views.Named]]:  # noqa: ARG001 - asked of nobody
    """List the genres that can be liked."""
    return JsonResponse(Listed([views.Named(genre, name) for genre, name in GENRES.items()], None))


@get("/streaming-services", Need.SIGNED_IN)
async def list_streaming_services(
    request: Request,  # noqa: ARG001 - asked of nobody
) -> JsonResponse[Listed[views.Named]]:
    """List the streaming services that a household can have."""
    return JsonResponse(
        Listed([views.Named(one.slug, one.name) for one in SERVICES.values()], None)
    )


OPERATIONS = part(
    "Movie night: films",
    search_films,
    get_film,
    list_watched,
    mark_film_watched,
    unmark_film_watched,
    list_genres,
    list_streaming_services,
)
