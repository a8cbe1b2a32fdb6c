"""Movie night in a browser: HTML in, HTML out; every page says who may see it."""

from __future__ import annotations

from commonroom.http.forms import page_routes
from commonroom.http.routes import Router
from commonroom.movienight.pages import (
    attendance,
    films,
    history,
    home,
    households,
    invites,
    members,
    pass_screen,
    preferences,
    round_actions,
    rounds,
    wishes,
)

MAX_FORM = 64 * 1024

PARTS = (
    home,
    households,
    members,
    invites,
    preferences,
    attendance,
    rounds,
    round_actions,
    pass_screen,
    history,
    films,
    wishes,
)


def movienight_pages() -> Router:
    """Returns all of them."""
    return Router(
        "/",
        page_routes(*(part.pages for part in PARTS)),
        max_body=MAX_FORM,
    )
