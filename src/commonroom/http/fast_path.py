"""The short way for reads, of the API and of pages: from the door straight to the function."""

from __future__ import annotations

import re
from typing import Any

from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Receive, Send

from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.http.routes import FAILED, FastRoute

# Litestar refuses what can be no host; whatever is not plainly one is for it to judge.
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]*")


def fast_path(app: Litestar) -> ASGIApp:
    """Wraps the application: plain reads go the short way, everything else as before.

    Both ways lead past the same guards to the same function, and give the same answer to the byte;
    what goes wrong on the short one is answered at the end of the long one.
    """

    async def wrapped(scope: Any, receive: Receive, send: Send) -> None:
        route = _route(app, scope)
        if route is None:
            await app(scope, receive, send)
            return
        request = Request(scope, receive)
        made: ASGIApp
        try:
            await route.authorize_connection(request)
            made = await route.respond(app, request)
        except Exception as error:
            scope["state"][FAILED] = error
            made = app
        await made(scope, receive, send)

    return wrapped


def _route(app: Litestar, scope: Any) -> FastRoute | None:
    """Returns the route that reads what is asked for; None where anything at all is unusual."""
    path: str = scope["path"] if scope["type"] == "http" and scope["method"] == "GET" else ""
    if path != "/" and (not path.startswith("/") or path.endswith("/") or "//" in path):
        return None
    if scope.get("root_path") or not _HOST.fullmatch(header_in(scope, "host") or ""):
        return None
    try:
        _, route, _, parameters, template = app.asgi_router.handle_routing(path=path, method="GET")
    except HTTPException:
        return None
    if not isinstance(route, FastRoute) or not route.takes(scope):
        return None
    scope.setdefault("state", {})
    scope["app"] = scope["litestar_app"] = app
    scope["route_handler"] = route
    scope["path_params"] = parameters
    scope["path_template"] = template
    return route
