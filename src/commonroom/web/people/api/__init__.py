"""People for programs: the accounts' part of the JSON API."""

from litestar import Router

from commonroom.web.people.api import (
    addresses,
    administering,
    arriving,
    inviting,
    members,
    myself,
    programs,
)

PARTS = (arriving, myself, addresses, programs, members, administering, inviting)


def people_api() -> Router:
    """All of it; a room's API is a router of the same kind."""
    # One router and none inside it: Litestar copies each with everything that is in it.
    return Router("/api/v1", route_handlers=[one for part in PARTS for one in part.OPERATIONS])
