"""Movie night for programs."""

from commonroom.http.operations import operation_routes
from commonroom.http.routes import Router
from commonroom.movienight.api import (
    films,
    households,
    invites,
    members,
    preferences,
    rounds,
    wishes,
)

PARTS = (households, members, invites, preferences, rounds, films, wishes)


def movienight_api() -> Router:
    """Returns all of it."""
    return Router("/api/v1", operation_routes(*(part.api for part in PARTS)))
