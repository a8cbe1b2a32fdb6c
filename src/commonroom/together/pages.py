"""The pages that join rooms."""

from __future__ import annotations

from litestar import Router

from commonroom.http.forms import page_routes
from commonroom.together import home_page, people

MAX_FORM = 4096
MODULES = (home_page, people)


def together_pages() -> Router:
    """Returns the router of home and people's pages."""
    return Router(
        "/",
        route_handlers=page_routes(*(part.pages for part in MODULES)),
        include_in_schema=False,
        request_max_body_size=MAX_FORM,
    )
