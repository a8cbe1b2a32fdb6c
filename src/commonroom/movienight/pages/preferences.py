"""What members like and may see."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Literal, TypeAlias

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Struct, structs

from commonroom.accounts.tables import Ceiling
from commonroom.catalog.genres import GENRES
from commonroom.errors import Forbidden, InvalidField
from commonroom.movienight import words
from commonroom.movienight.household_words import CEILINGS, Meaning
from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.everybody import PREFERENCES, Someone, everybody
from commonroom.movienight.pages.households import ROOM
from commonroom.movienight.rules.ceilings import HIGHEST, raises
from commonroom.movienight.rules.tastes import FEWEST_LIKES
from commonroom.movienight.service.members import members_of
from commonroom.movienight.service.members.listing import no_such_member
from commonroom.movienight.service.preferences import preferences_of, set_preferences
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Sent
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

TEMPLATE = "movienight/preferences.html"
ONE = f"{PREFERENCES}/{{member_id:str}}"

Feeling: TypeAlias = Literal["like", "neutral", "dislike"]


class PreferencesForm(Form):
    """How somebody feels about each genre, by TMDB's ids, and what they may see."""

    ceiling: Ceiling
    genre_28: Feeling = "neutral"
    genre_12: Feeling = "neutral"
    genre_16: Feeling = "neutral"
    genre_35: Feeling = "neutral"
    genre_80: Feeling = "neutral"
    genre_99: Feeling = "neutral"
    genre_18: Feeling = "neutral"
    genre_10751: Feeling = "neutral"
    genre_14: Feeling = "neutral"
    genre_36: Feeling = "neutral"
    genre_27: Feeling = "neutral"
    genre_10402: Feeling = "neutral"
    genre_9648: Feeling = "neutral"
    genre_10749: Feeling = "neutral"
    genre_878: Feeling = "neutral"
    genre_10770: Feeling = "neutral"
    genre_53: Feeling = "neutral"
    genre_10752: Feeling = "neutral"
    genre_37: Feeling = "neutral"

    def those(self, feeling: Feeling) -> list[str]:
        """The genres that somebody feels so about."""
        return [genre for genre in GENRES if getattr(self, f"genre_{genre}") == feeling]


class CeilingCard(Struct, frozen=True):
    """A ceiling to choose."""

    ceiling: Ceiling
    meaning: Meaning
    may: bool
    """Whether it can be chosen: what was set for a member stays above what is chosen here."""


@get(PREFERENCES, opt=needs(Need.SIGNED_IN))
async def own_preferences(request: Request) -> Response[Any]:
    """One's own."""
    seat = await seat_in(request)
    return await _shown(request, seat, seat.member_id)


@get(ONE, opt=needs(Need.SIGNED_IN))
async def their_preferences(request: Request, member_id: FromPath[str]) -> Response[Any]:
    """Those of a member whom one looks after."""
    return await _shown(request, await seat_in(request), member_id)


@post(PREFERENCES, opt=needs(Need.SIGNED_IN), status_code=200)
async def save_own(request: Request, data: Sent[PreferencesForm]) -> Response[Any]:
    """Keeps one's own."""
    seat = await seat_in(request)
    return await _saved(request, seat, seat.member_id, data)


@post(ONE, opt=needs(Need.SIGNED_IN), status_code=200)
async def save_theirs(
    request: Request, member_id: FromPath[str], data: Sent[PreferencesForm]
) -> Response[Any]:
    """Keeps those of a member whom one looks after."""
    return await _saved(request, await seat_in(request), member_id, data)


async def _shown(request: Request, seat: Seat, member_id: str) -> Response[Any]:
    context = await _context(request, seat, member_id)
    return render(request, TEMPLATE, form=_as_stored(context["someone"]), **context)


async def _saved(
    request: Request, seat: Seat, member_id: str, data: PreferencesForm
) -> Response[Any]:
    try:
        await set_preferences(
            request.store,
            time.time(),
            seat,
            member_id,
            likes=data.those("like"),
            dislikes=data.those("dislike"),
            ceiling=data.ceiling,
        )
    except InvalidField as error:
        context = await _context(request, seat, member_id)
        form = Filled(structs.asdict(data), {"genres": error.detail})
        return render_refused(request, TEMPLATE, error, form=form, **context)
    return redirect(ROOM, "preferences-saved")


async def _context(request: Request, seat: Seat, member_id: str) -> dict[str, Any]:
    """What the page shows: three requests beside the seat's."""
    store = request.store
    here, tastes = await asyncio.gather(
        members_of(store, seat.group_id), preferences_of(store, seat)
    )
    people = everybody(seat, here, tastes)
    someone = next((one for one in people if one.user.user_id == member_id), None)
    if someone is None:
        raise no_such_member()
    if not someone.may_say:
        raise Forbidden("People with a login set their own tastes.")
    return {
        "seat": seat,
        "someone": someone,
        "others": [one for one in people if one.may_say],
        "genres": sorted((words.genre_name(genre), genre) for genre in GENRES),
        "ceilings": ceilings_for(someone),
        "fewest": FEWEST_LIKES,
    }


def ceilings_for(someone: Someone) -> list[CeilingCard]:
    """All ceilings; a managed member itself chooses none above what it may see already."""
    top = someone.user.content_rating_ceiling or HIGHEST
    if someone.is_you and someone.user.is_managed:
        top = someone.ceiling
    return [
        CeilingCard(ceiling, meaning, may=not raises(top, ceiling))
        for ceiling, meaning in CEILINGS.items()
    ]


def _as_stored(someone: Someone) -> Filled:
    chosen = someone.preferences
    likes = [] if chosen is None else chosen.genre_likes
    dislikes = [] if chosen is None else chosen.genre_dislikes
    return Filled(
        {
            **{f"genre_{genre}": "like" for genre in likes},
            **{f"genre_{genre}": "dislike" for genre in dislikes},
            "ceiling": someone.ceiling,
        }
    )


HANDLERS = [own_preferences, their_preferences, save_own, save_theirs]
