"""The pages that join rooms."""

from __future__ import annotations

from commonroom.http.forms import page_routes
from commonroom.http.routes import Router
from commonroom.together import home_page, people

MAX_FORM = 4096
MODULES = (home_page, people)


def together_pages() -> Router:
    """Returns the router of home and people's pages."""
    return Router(
        "/",
        page_routes(*(part.pages for part in MODULES)),
        max_body=MAX_FORM,
    )
