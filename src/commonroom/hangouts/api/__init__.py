"""Hangouts for programs."""

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
from commonroom.http.operations import operation_routes
from commonroom.http.routes import Router

PARTS = (
    *(groups, invite_codes, places, ideas),
    *(lists, hangouts, series, rsvps, guests),
    *(polls, bring_list, attachments),
    *(carpool, tickets, offers, talk),
)


def hangouts_api() -> Router:
    """Returns all of it."""
    return Router(
        "/api/v1",
        operation_routes(*(part.api for part in PARTS)),
        guards=[limit_writes],
    )
