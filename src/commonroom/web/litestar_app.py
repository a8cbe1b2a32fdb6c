"""Litestar's application, made to register hundreds of routes in a fraction of the time."""

from __future__ import annotations

from copy import copy, deepcopy
from itertools import chain
from typing import Any

from litestar import Litestar, MediaType, Response
from litestar.handlers import HTTPRouteHandler
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import Scope

from commonroom.web.alike_routes import AlikeRoute


class App(Litestar):
    """An application whose routes by path are worked out once, not anew for every route."""

    _mapped: tuple[BaseRoute, ...] = ()

    @property
    def route_handler_method_map(self) -> dict[str, Any]:
        """The handlers of each path by method, of the HTTP routes: we have no others."""
        known = len(self._mapped)
        if not known or list(self._mapped) != self.routes[:known]:
            self._map: dict[str, Any] = {}
            known = 0
        for route in self.routes[known:]:
            if isinstance(route, HTTPRoute):
                self._map[route.path] = {
                    method: handler
                    for handler in route.route_handlers
                    for method in handler.http_methods
                }
        self._mapped = tuple(self.routes)
        return self._map


def copy_handler(handler: HTTPRouteHandler, memo: dict[int, Any]) -> HTTPRouteHandler:
    """A handler for the copy of its router: what was declared of it is shared, not copied."""
    copied = copy(handler)
    slots = [getattr(one, "__slots__", ()) for one in type(handler).__mro__]
    for name in chain.from_iterable(slots):
        value = getattr(handler, name, None)
        if isinstance(value, dict | list | set):  # into these it writes what it works out later
            setattr(copied, name, copy(value))
    copied.owner = deepcopy(handler.owner, memo)
    return copied


class OptionsRoute(AlikeRoute):
    """A route that tells which methods there are at a path."""

    __slots__ = ()


def create_options_handler(route: HTTPRoute, path: str) -> HTTPRouteHandler:
    """The handler that Litestar adds to every path, as it makes it by itself."""

    def options_handler(scope: Scope) -> Response[None]:  # noqa: ARG001 - as Litestar's own
        methods = ", ".join(sorted(route.methods))
        return Response(
            None, status_code=204, headers={"Allow": methods}, media_type=MediaType.TEXT
        )

    added = OptionsRoute(
        path, http_method=["OPTIONS"], include_in_schema=False, sync_to_thread=False
    )
    return added(options_handler)


def share_declarations() -> None:
    """Lets Litestar keep once what is the same for many routes.

    It copies each router that it is given, so that it can be given again, with all that is in it;
    and adds a handler to every path, each with a signature of its own.
    """
    HTTPRouteHandler.__deepcopy__ = copy_handler  # type: ignore[attr-defined]
    HTTPRoute.create_options_handler = create_options_handler  # type: ignore[method-assign, assignment]
