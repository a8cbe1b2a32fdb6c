"""Movie night in a browser: HTML in, HTML out; every page says who may see it."""

from __future__ import annotations

from litestar import Router

from commonroom.http.forms import page_routes
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
        route_handlers=page_routes(*(part.pages for part in PARTS)),
        include_in_schema=False,
        request_max_body_size=MAX_FORM,
    )
