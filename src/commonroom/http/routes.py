"""Routes that are reached on the short way as well as through all of Litestar."""

from __future__ import annotations

from typing import Any, TypeVar

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, ExceptionHandlersMap

from commonroom.http.request import Request

M = TypeVar("M")

FAILED = "failed"
"""In a request's state: what went wrong on the short way (`fast_path`)."""
ADDED = (
    "after_request",
    "after_response",
    "response_headers",
    "response_cookies",
    "cache_control",
    "etag",
)
"""What layers can add to a route that the short way knows nothing of."""
ON_SENDING = "on_sending"


def on_sending(middleware: M) -> M:
    """Marks middleware that only looks at what is sent, and so fits the short way, too."""
    setattr(middleware, ON_SENDING, True)
    return middleware


class FastRoute(HTTPRouteHandler):
    """A route to which the short way leads (`fast_path`).

    It does once what Litestar's own does for every request.
    """

    __slots__ = ("_around", "_before", "_handlers", "_plain")

    async def authorize_connection(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """Asks the guards, without copying the whole route for each."""
        if (failed := connection.scope["state"].get(FAILED)) is not None:
            raise failed  # whatever goes wrong is answered in one place, which is behind this
        for guard in self.resolve_guards():
            await guard(connection, self)  # type: ignore[misc] # they were made async, as Litestar does

    def resolve_exception_handlers(self) -> ExceptionHandlersMap:
        """Returns who answers when something goes wrong."""
        try:
            return self._handlers
        except AttributeError:
            self._handlers: ExceptionHandlersMap = super().resolve_exception_handlers()
            return self._handlers

    @property
    def is_plain(self) -> bool:
        """Whether it has guards, and nothing was added that the short way knows nothing of."""
        try:
            return self._plain
        except AttributeError:
            layers = self.ownership_layers
            added = any(getattr(layer, name) for layer in layers for name in ADDED)
            self._around: list[Any] = self.resolve_middleware()
            self._before = self.resolve_before_request()
            fits = all(hasattr(one, ON_SENDING) for one in self._around)
            self._plain: bool = bool(self.resolve_guards()) and fits and not added
            return self._plain

    def takes(self, scope: Any) -> bool:  # noqa: ARG002 - others look at it
        """Whether a request can go the short way, as far as this route can tell."""
        return self.is_plain

    async def respond(self, app: Litestar, request: Request) -> ASGIApp:
        """Returns the response to a caller whom the guards let through, with all layers applied."""
        early = None if self._before is None else await self._before(request)
        if early is None:
            made = await self.answer(app, request)
        else:
            made = await self.to_response(app, early, request)
        for wrap in self._around:  # the innermost first
            made = wrap(made)
        return made

    async def answer(self, app: Litestar, request: Request) -> ASGIApp:
        """Returns what the route itself gives."""
        raise NotImplementedError
