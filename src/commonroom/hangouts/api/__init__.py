"""Hangouts for programs."""

from litestar import Router

from commonroom.hangouts.api import (
    attachments,
    bring_list,
    carpool,
    groups,
    guests,
    hangouts,
    ideas,
    invite_codes,
    lists,
    offers,
    places,
    polls,
    rsvps,
    series,
    talk,
    tickets,
)
from commonroom.hangouts.request import limit_writes

PARTS = (
    *(groups, invite_codes, places, ideas),
    *(lists, hangouts, series, rsvps, guests),
    *(polls, bring_list, attachments),
    *(carpool, tickets, offers, talk),
)


def hangouts_api() -> Router:
    """All of it."""
    return Router(
        "/api/v1",
        route_handlers=[one for part in PARTS for one in part.OPERATIONS],
        guards=[limit_writes],
    )
