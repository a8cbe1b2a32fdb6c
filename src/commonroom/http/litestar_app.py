"""Litestar's application, made to register hundreds of routes in a fraction of the time."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from litestar import Litestar, MediaType, Response, Router
from litestar.exceptions import ImproperlyConfiguredException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ControllerRouterHandler, Scope

from commonroom.http.address_secrets import SecretPaths
from commonroom.http.shared_signatures import SharedSignatureRoute

if TYPE_CHECKING:
    from litestar.plugins import PluginProtocol
    from litestar.types import RouteHandlerType


class App(Litestar):
    """An application that neither works out nor keeps more than once what its routes are."""

    _mapped: tuple[BaseRoute, ...] = ()

    @cached_property
    def secret_paths(self) -> SecretPaths:
        """Returns which of its paths hold secrets."""
        return SecretPaths(one.path for one in self.routes)

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

    def register(self, value: ControllerRouterHandler) -> None:  # type: ignore[override]
        """Adds a route or a router, whose routes are the application's alone from then on."""
        super().register(value)
        if isinstance(value, Router):
            value.routes.clear()

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        """None by itself: they would load attrs and Pydantic, which we do not use."""
        return plugins

    def _validate_registration_value(
        self, value: ControllerRouterHandler
    ) -> RouteHandlerType | Router:
        """Takes a router as it is: Litestar would copy all that is in it, to be given again."""
        if not isinstance(value, Router):
            return super()._validate_registration_value(value)
        if value.owner is not None:
            raise ImproperlyConfiguredException("A router is made for one application.")
        value.owner = self
        for route in value.routes:
            for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
                # The router has copied what was declared, but for this, into which each writes.
                handler._response_handler_mapping = handler._response_handler_mapping.copy()
        return value


class OptionsRoute(SharedSignatureRoute):
    """A route that tells which methods there are at a path."""

    __slots__ = ()


def answer_options(scope: Scope) -> Response[None]:
    """Returns which methods there are at a path, as Litestar says it."""
    path = scope["path_template"]
    found = next(one for one in scope["litestar_app"].routes if one.path_format == path)
    methods = ", ".join(sorted(found.methods))
    return Response(None, status_code=204, headers={"Allow": methods}, media_type=MediaType.TEXT)


def create_options_handler(_route: HTTPRoute, path: str) -> HTTPRouteHandler:
    """Returns the handler that Litestar adds to every path, with one function for all of them."""
    added = OptionsRoute(
        path, http_method=["OPTIONS"], include_in_schema=False, sync_to_thread=False
    )
    return added(answer_options)


def share_declarations() -> None:
    """Lets Litestar keep once what is the same for the handlers that it adds to every path."""
    HTTPRoute.create_options_handler = create_options_handler  # type: ignore[method-assign, assignment]
