"""Movie night for programs."""

from litestar import Router

from commonroom.movienight.api import (
    films,
    households,
    inviting,
    members,
    preferences,
    rounds,
    voting,
    wishes,
)

PARTS = (households, members, inviting, preferences, rounds, voting, films, wishes)


def movienight_api() -> Router:
    """All of it."""
    return Router("/api/v1", route_handlers=[one for part in PARTS for one in part.OPERATIONS])
