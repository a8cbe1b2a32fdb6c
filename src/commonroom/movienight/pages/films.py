"""Films: finding them, and what the household knows of one."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Struct

from commonroom.catalog.streaming_services import SERVICES
from commonroom.errors import Forbidden, NotFound, Refusal
from commonroom.movienight.api.asking import film_number
from commonroom.movienight.pages.asking import Title, films_in, seat_in
from commonroom.movienight.pages.cards import of_film
from commonroom.movienight.pages.evenings import address_of, name_of
from commonroom.movienight.pages.looking import looked_for
from commonroom.movienight.service.films import marking, wishing
from commonroom.movienight.service.films.story import FilmStory, VotesInRound, film_story
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Round
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

HERE = "/movie-night/films"
ONE = f"{HERE}/{{number:str}}"
TEMPLATE = "movienight/film.html"


class Voted(Struct, frozen=True):
    """How a film did in a round."""

    round: Round
    up: int
    down: int
    empty: int
    """How many took part and did not vote on it."""


@get(HERE, opt=needs(Need.SIGNED_IN))
async def find_films(request: Request, title: Title = "") -> Response[Any]:
    """Films that resemble what was typed."""
    await seat_in(request)
    found = await looked_for(request, title)
    return render(request, "movienight/films.html", found=found, form=Filled({"title": title}))


@get(ONE, opt=needs(Need.SIGNED_IN))
async def film_page(request: Request, number: FromPath[str]) -> Response[Any]:
    """A film, and what the household knows of it."""
    seat = await seat_in(request)
    found = await film_story(request.store, films_in(request), seat, film_number(number))
    return render(request, TEMPLATE, form=EMPTY, **_context(found))


@post(f"{ONE}/wish", opt=needs(Need.SIGNED_IN), status_code=200)
async def wish(request: Request, number: FromPath[str]) -> Response[Any]:
    """Puts it on the wish list."""
    seat, film = await seat_in(request), film_number(number)
    doing = wishing.add_wish(request.store, time.time(), films_in(request), seat, film)
    return await _done(request, seat, film, doing, "wished")


@post(f"{ONE}/unwish", opt=needs(Need.SIGNED_IN), status_code=200)
async def unwish(request: Request, number: FromPath[str]) -> Response[Any]:
    """Takes it off the wish list."""
    seat, film = await seat_in(request), film_number(number)
    doing = wishing.remove_wish(request.store, time.time(), seat, film)
    return await _done(request, seat, film, doing, "unwished")


@post(f"{ONE}/watched", opt=needs(Need.SIGNED_IN), status_code=200)
async def mark_watched(request: Request, number: FromPath[str]) -> Response[Any]:
    """The household has watched it; where a round picked it, that asks how everybody liked it."""
    seat, film = await seat_in(request), film_number(number)
    doing = marking.mark_watched(request.store, time.time(), films_in(request), seat, film)
    try:
        watched = await doing
    except (NotFound, Forbidden):
        raise
    except Refusal as refusal:
        return await _refused(request, seat, film, refusal)
    if watched.round_id is not None:
        return redirect(address_of(watched.round_id), "watched")
    return redirect(f"{HERE}/{film}", "film-watched")


@post(f"{ONE}/unwatched", opt=needs(Need.SIGNED_IN), status_code=200)
async def undo_watched(request: Request, number: FromPath[str]) -> Response[Any]:
    """It has not, after all."""
    seat, film = await seat_in(request), film_number(number)
    doing = marking.undo_watched(request.store, time.time(), seat, film)
    return await _done(request, seat, film, doing, "film-unwatched")


@get(
    [f"{ONE}/{deed}" for deed in ("wish", "unwish", "watched", "unwatched")],
    opt=needs(Need.SIGNED_IN),
    sync_to_thread=False,
)
def back_to_film(request: Request, number: FromPath[str]) -> Response[Any]:  # noqa: ARG001 - asked of nobody
    """Where a page leads that was shown because something was refused."""
    return redirect(f"{HERE}/{film_number(number)}")


async def _done(
    request: Request, seat: Seat, number: int, doing: Awaitable[object], say: str
) -> Response[Any]:
    """Does something with a film and leads to its page, which also says why it could not be."""
    try:
        await doing
    except (NotFound, Forbidden):
        raise
    except Refusal as refusal:
        return await _refused(request, seat, number, refusal)
    return redirect(f"{HERE}/{number}", say)


async def _refused(request: Request, seat: Seat, number: int, refusal: Refusal) -> Response[Any]:
    found = await film_story(request.store, films_in(request), seat, number)
    form = Filled(wrong_altogether=refusal.detail)
    return render_refused(request, TEMPLATE, refusal, form=form, **_context(found))


def _context(story: FilmStory) -> dict[str, Any]:
    services = (SERVICES.get(slug) for slug in story.film.services or ())
    return {
        "story": story,
        "card": of_film(story.film),
        "past": [_voted(one) for one in story.past],
        "live": None if story.live is None else _voted(story.live),
        "services": [one.name for one in services if one is not None],
        "name_of": lambda member_id: name_of(story.people.get(member_id)),
    }


def _voted(one: VotesInRound) -> Voted:
    empty = max(0, len(one.round.attendees or ()) - one.up - one.down)
    return Voted(one.round, one.up, one.down, empty)


HANDLERS = [find_films, film_page, wish, unwish, mark_watched, undo_watched, back_to_film]
