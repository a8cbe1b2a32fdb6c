"""Hangouts in a browser: HTML in, HTML out; `service.access` says who may look."""

from __future__ import annotations

from typing import Any

from commonroom.hangouts.pages import (
    attachments,
    bring_list,
    calendar_files,
    carpool,
    groups,
    guests,
    hangouts,
    ideas,
    invite_codes,
    lists,
    making,
    members,
    offers,
    places,
    polls,
    series,
    talk,
    tickets,
)
from commonroom.hangouts.request import limit_writes
from commonroom.http.forms import page_routes
from commonroom.http.routes import Router

MAX_FORM = 128 * 1024
"""A long description in a script whose letters take nine bytes each in a form fits."""

PARTS: tuple[Any, ...] = (
    *(groups, members, invite_codes, places, ideas),
    *(lists, making, hangouts, series, calendar_files, guests),
    *(polls, bring_list, attachments),
    *(carpool, tickets, offers, talk),
)


def hangouts_pages() -> Router:
    """Returns all of them."""
    return Router(
        "/",
        page_routes(*(part.pages for part in PARTS)),
        guards=[limit_writes],
        max_body=MAX_FORM,
    )
