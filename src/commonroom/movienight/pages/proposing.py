"""Proposing a film while the vote is open: looking for it, adding it, taking it back."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.errors import CommonroomError, Forbidden, NotFound, Refusal
from commonroom.movienight.api.bodies import FilmId
from commonroom.movienight.pages.asking import Title, films_in, seat_in
from commonroom.movienight.pages.evenings import ONE, address_of
from commonroom.movienight.pages.looking import looked_for
from commonroom.movienight.pages.steps import evening_in, step
from commonroom.movienight.service.rounds import proposing
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Line, Sent
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

TEMPLATE = "movienight/round_propose.html"


class ProposalForm(Form):
    """A film, and what was typed to find it."""

    tmdb_movie_id: FilmId
    title: Line = ""


class WithdrawalForm(Form):
    """A film that was proposed."""

    tmdb_movie_id: FilmId


@get(f"{ONE}/propose", opt=needs(Need.SIGNED_IN))
async def propose_form(
    request: Request, round_id: FromPath[str], title: Title = ""
) -> Response[Any]:
    """Films that resemble what was typed; the round itself where nothing can be proposed."""
    context = await _context(request, await seat_in(request), round_id, title)
    if "propose" not in context["evening"].may:
        return redirect(address_of(round_id))
    return render(request, TEMPLATE, **context, form=Filled({"title": title}))


@post(f"{ONE}/propose", opt=needs(Need.SIGNED_IN), status_code=200)
async def propose(
    request: Request, round_id: FromPath[str], data: Sent[ProposalForm]
) -> Response[Any]:
    """Adds a film to the round."""
    seat, store, films = await seat_in(request), request.store, films_in(request)
    try:
        await proposing.propose(store, time.time(), films, seat, round_id, data.tmdb_movie_id)
    except (NotFound, Forbidden):
        raise
    except Refusal as error:
        return await _refused(request, seat, round_id, data.title, error)
    return redirect(address_of(round_id), "proposed")


@post(f"{ONE}/withdraw", opt=needs(Need.SIGNED_IN), status_code=200)
async def withdraw(
    request: Request, round_id: FromPath[str], data: Sent[WithdrawalForm]
) -> Response[Any]:
    """Takes a proposed film out again, with its votes."""
    seat, store = await seat_in(request), request.store
    doing = proposing.withdraw_proposal(store, time.time(), seat, round_id, data.tmdb_movie_id)
    return await step(request, seat, round_id, doing, "proposal-withdrawn")


async def _refused(
    request: Request, seat: Seat, round_id: str, title: str, error: CommonroomError
) -> Response[Any]:
    context = await _context(request, seat, round_id, title)
    return render_refused(
        request, TEMPLATE, error, **context, form=Filled({"title": title}, {"title": error.detail})
    )


async def _context(request: Request, seat: Seat, round_id: str, title: str) -> dict[str, Any]:
    evening = await evening_in(request, seat, round_id)
    here = {one.card.tmdb_movie_id for one in evening.films}
    return {"evening": evening, "found": await looked_for(request, title), "here": here}


HANDLERS = [propose_form, propose, withdraw]
