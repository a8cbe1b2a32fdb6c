"""One screen passed round: those who share a device vote one after the other, each alone."""

from __future__ import annotations

import time
from typing import Annotated, Any
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from commonroom.errors import Forbidden, NotFound, Refusal
from commonroom.movienight.api.bodies import FilmId
from commonroom.movienight.pages.asking import seat_for, seat_in
from commonroom.movienight.pages.evenings import ONE, Evening, Face, address_of
from commonroom.movienight.pages.steps import evening_in, show_round
from commonroom.movienight.rules.rounds import VotedFor
from commonroom.movienight.service.rounds import voting
from commonroom.web.access import Need, needs
from commonroom.web.forms import Form, Line, Sent
from commonroom.web.redirects import redirect
from commonroom.web.render import render
from commonroom.web.request import Request

PASS = f"{ONE}/pass"
THEIRS = f"{PASS}/{{member_id:str}}"

# Who acts for a child is that child here: only the person themselves hands the screen round.
OWN = needs(Need.THEMSELVES)


class PassedVoteForm(Form):
    """A vote of somebody who has the screen now."""

    member_id: Line
    tmdb_movie_id: FilmId
    vote: VotedFor


@get(PASS, opt=OWN)
async def whose_turn(
    request: Request,
    round_id: FromPath[str],
    after: Annotated[str, QueryParameter(max_length=1000)] = "",
) -> Response[Any]:
    """Whom to pass the screen to now, and how far everybody is."""
    evening = await evening_in(request, await seat_in(request), round_id)
    if evening.round.status != "voting" or not evening.here:
        return redirect(address_of(round_id))
    now = _coming(evening.here, after)
    return render(request, "movienight/pass.html", evening=evening, now=now, after=after)


@get(THEIRS, opt=OWN)
async def their_turn(
    request: Request,
    round_id: FromPath[str],
    member_id: FromPath[str],
    film: Annotated[int, QueryParameter()] = 0,
) -> Response[Any]:
    """One film for somebody who has the screen now; never how anybody has voted."""
    evening = await evening_in(request, await seat_in(request), round_id)
    face = next((one for one in evening.here if one.member_id == member_id), None)
    if evening.round.status != "voting" or face is None:
        return redirect(f"{address_of(round_id)}/pass")
    place = _place(evening, film)
    if place is None:
        place = _next(evening, member_id)
    if place is None:
        return redirect(f"{address_of(round_id)}/pass")
    return render(
        request,
        "movienight/pass_film.html",
        evening=evening,
        face=face,
        film=evening.films[place],
        number=place + 1,
        before=None if place == 0 else evening.films[place - 1],
        on=_on_from(evening, member_id, evening.films[place].card.tmdb_movie_id),
    )


@post(PASS, opt=OWN, status_code=200)
async def vote_in_turn(
    request: Request, round_id: FromPath[str], data: Sent[PassedVoteForm]
) -> Response[Any]:
    """Votes for whoever has the screen, and goes on to their next film or to the next person."""
    seat, store = await seat_in(request), request.store
    theirs = await seat_for(request, seat, data.member_id)
    film = data.tmdb_movie_id
    try:
        await voting.vote(store, time.time(), theirs, round_id, film, data.vote)
    except (NotFound, Forbidden):
        raise
    except Refusal as refusal:
        return await show_round(request, seat, round_id, refusal)
    evening = await evening_in(request, seat, round_id)
    return redirect(_on_from(evening, theirs.member_id, film))


def _on_from(evening: Evening, member_id: str, film: int) -> str:
    """Where somebody's next film is; where there is none, whose turn it is then."""
    place = _next(evening, member_id, after=_place(evening, film))
    turn, member = f"{evening.address}/pass", quote(member_id, safe="")
    if place is None:
        return f"{turn}?after={member}"
    return f"{turn}/{member}?film={evening.films[place].card.tmdb_movie_id}"


def _coming(here: list[Face], after: str) -> Face | None:
    """Who votes next after somebody; that one again only once nobody else has films left."""
    ids = [one.member_id for one in here]
    first = ids.index(after) + 1 if after in ids else 0
    return next((one for one in here[first:] + here[:first] if one.films_left), None)


def _place(evening: Evening, film: int) -> int | None:
    ids = [one.card.tmdb_movie_id for one in evening.films]
    return ids.index(film) if film in ids else None


def _next(evening: Evening, member_id: str, after: int | None = None) -> int | None:
    """The place of the next film on which somebody has not voted."""
    first = 0 if after is None else after + 1
    coming = enumerate(evening.films[first:], start=first)
    return next((place for place, one in coming if member_id not in one.votes), None)


HANDLERS = [whose_turn, their_turn, vote_in_turn]
