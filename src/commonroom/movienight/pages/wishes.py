"""The wish list of a household."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, NotFound, Refusal
from commonroom.movienight.api.bodies import FilmId
from commonroom.movienight.pages.asking import Title, films_in, seat_in
from commonroom.movienight.pages.cards import FilmCard, of_wish
from commonroom.movienight.pages.looking import looked_for
from commonroom.movienight.service.films import wishing
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Wish
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Line, Sent
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

HERE = "/movie-night/wishes"
TEMPLATE = "movienight/wishes.html"


class WishForm(Form):
    """A film, and what was typed to find it."""

    tmdb_movie_id: FilmId
    title: Line = ""


class UnwishForm(Form):
    """A film on the list."""

    tmdb_movie_id: FilmId


class Wished(Struct, frozen=True):
    """A film that somebody wants to see."""

    wish: Wish
    card: FilmCard
    by: User | None
    """None where the account was deleted."""
    may_remove: bool


@get(HERE, opt=needs(Need.SIGNED_IN))
async def wish_list(request: Request, title: Title = "") -> Response[Any]:
    """What the household wishes for, and films that resemble what was typed."""
    context = await _context(request, await seat_in(request), title)
    return render(request, TEMPLATE, **context, form=Filled({"title": title}))


@post(HERE, opt=needs(Need.SIGNED_IN), status_code=200)
async def add_wish(request: Request, data: Sent[WishForm]) -> Response[Any]:
    """Puts a film on the list."""
    seat, films = await seat_in(request), films_in(request)
    try:
        await wishing.add_wish(request.store, time.time(), films, seat, data.tmdb_movie_id)
    except NotFound:
        raise
    except Refusal as error:
        return await _refused(request, seat, data.title, error)
    return redirect(HERE, "wished")


@post(f"{HERE}/remove", opt=needs(Need.SIGNED_IN), status_code=200)
async def remove_wish(request: Request, data: Sent[UnwishForm]) -> Response[Any]:
    """Takes a film off the list."""
    seat = await seat_in(request)
    await wishing.remove_wish(request.store, time.time(), seat, data.tmdb_movie_id)
    return redirect(HERE, "unwished")


async def _refused(
    request: Request, seat: Seat, title: str, error: CommonroomError
) -> Response[Any]:
    context = await _context(request, seat, title)
    form = Filled({"title": title}, {"title": error.detail})
    return render_refused(request, TEMPLATE, error, **context, form=form)


async def _context(request: Request, seat: Seat, title: str) -> dict[str, Any]:
    store = request.store
    wishes = await wishing.wishes(store, seat)
    ids = list(dict.fromkeys(one.added_by for one in wishes))
    people = dict(
        zip(ids, await store.batch_get([User.at(user_id=one) for one in ids]), strict=True)
    )
    wished = [
        Wished(
            one,
            of_wish(one),
            people[one.added_by],
            may_remove=seat.is_creator or one.added_by == seat.member_id,
        )
        for one in wishes
    ]
    here = {one.tmdb_movie_id for one in wishes}
    return {"wished": wished, "found": await looked_for(request, title), "here": here}


HANDLERS = [wish_list, add_wish, remove_wish]
