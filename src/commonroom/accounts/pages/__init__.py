"""HTML in, HTML out; every page says who may see it."""

from __future__ import annotations

from commonroom.accounts.pages import (
    account_data,
    administration,
    blocks,
    calendar_feed,
    email_addresses,
    passwords,
    profiles,
    sessions,
    signup,
    tokens,
    welcome,
)
from commonroom.http.forms import page_routes
from commonroom.http.routes import Router

MAX_FORM = 64 * 1024
MODULES = (
    welcome,
    signup,
    sessions,
    passwords,
    profiles,
    email_addresses,
    tokens,
    calendar_feed,
    blocks,
    account_data,
    administration,
)


def people_pages() -> Router:
    """Returns the pages, at their addresses."""
    return Router(
        "/",
        page_routes(*(part.pages for part in MODULES)),
        max_body=MAX_FORM,
    )
