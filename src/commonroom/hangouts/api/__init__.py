"""Hangouts for programs."""

from litestar import Router

from commonroom.hangouts.api import (
    bring_list,
    groups,
    guests,
    hangouts,
    invite_codes,
    lists,
    polls,
    rsvps,
)
from commonroom.hangouts.request import limit_writes

PARTS = (groups, invite_codes, lists, hangouts, rsvps, guests, polls, bring_list)


def hangouts_api() -> Router:
    """All of it."""
    return Router(
        "/api/v1",
        route_handlers=[one for part in PARTS for one in part.OPERATIONS],
        guards=[limit_writes],
    )
