"""Movie night in a browser: HTML in, HTML out; every page says who may see it."""

from __future__ import annotations

from litestar import Router

from commonroom.movienight.pages import (
    attending,
    films,
    history,
    homes,
    households,
    inviting,
    joining,
    live,
    members,
    passing,
    picking,
    posters,
    preferences,
    proposing,
    rating,
    rounds,
    starting,
    voting,
    wishes,
)

LARGEST_FORM = 64 * 1024

PARTS = (
    homes,
    households,
    members,
    inviting,
    joining,
    preferences,
    starting,
    rounds,
    attending,
    live,
    voting,
    proposing,
    passing,
    picking,
    rating,
    history,
    films,
    wishes,
    posters,
)


def movienight_pages() -> Router:
    """All of them."""
    return Router(
        "/",
        route_handlers=[one for part in PARTS for one in part.HANDLERS],
        include_in_schema=False,
        request_max_body_size=LARGEST_FORM,
    )
