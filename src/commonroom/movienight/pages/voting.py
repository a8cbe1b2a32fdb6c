"""Voting: thumbs up or down for each film."""

from __future__ import annotations

import time
from typing import Any, Literal

from litestar import Response, post
from litestar.params import FromPath

from commonroom.movienight.api.bodies import FilmId
from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.evenings import ONE
from commonroom.movienight.pages.steps import step
from commonroom.movienight.service.rounds import voting
from commonroom.web.access import Need, needs
from commonroom.web.forms import Form, Sent
from commonroom.web.request import Request


class VoteForm(Form):
    """A vote; none takes it back."""

    tmdb_movie_id: FilmId
    vote: Literal["up", "down", "none"]


@post(f"{ONE}/vote", opt=needs(Need.SIGNED_IN), status_code=200)
async def vote(request: Request, round_id: FromPath[str], data: Sent[VoteForm]) -> Response[Any]:
    """Votes on a film, or takes the vote back."""
    seat, store, now = await seat_in(request), request.store, time.time()
    film = data.tmdb_movie_id
    if data.vote == "none":
        doing = voting.withdraw_vote(store, now, seat, round_id, film)
    else:
        doing = voting.vote(store, now, seat, round_id, film, data.vote)
    return await step(request, seat, round_id, doing)


HANDLERS = [vote]
