"""Where anything new begins, as a page: the same that opens over every other where scripts run."""

from __future__ import annotations

from typing import Any

from commonroom.http.access import Need
from commonroom.http.forms import Pages, page_routes
from commonroom.http.navigation.menus import Viewer, things_for
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router
from commonroom.joins.rooms import open_rooms

pages = Pages()


@pages.page("/new", Need.ANYONE)
async def show_new(request: Request) -> Response[Any]:
    """Shows everything that the caller can make: no request of the store."""
    things = things_for(open_rooms(request), Viewer.of(request.caller))
    return render(request, "navigation/new_page.html", things=things)


def navigation_pages() -> Router:
    """Returns the page, at its address."""
    return Router("/", page_routes(pages))
