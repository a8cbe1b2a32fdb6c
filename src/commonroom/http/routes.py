"""Routes: what can be asked for, by whom, and what answers; routers: what many have in common."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.http.access import Need
from commonroom.http.asgi import ASGIApp, RawHeaders, Send
from commonroom.http.bodies import LARGEST
from commonroom.http.page_arguments import page_arguments
from commonroom.http.request import Request
from commonroom.http.responses import Response

Respond: TypeAlias = Callable[[Request], Awaitable[ASGIApp]]
"""Does what a request asks for, and returns its answer."""
Guard: TypeAlias = Callable[[Request], Awaitable[None]]
"""Raises the refusal of a request that may not go on."""
Around: TypeAlias = Callable[
    [Request, Callable[[Request, Send], Awaitable[None]], Send], Awaitable[None]
]
"""Answers a request by whatever answers it, or otherwise."""
OnError: TypeAlias = Callable[[Request, Any], Response[Any]]


class Route(Struct, kw_only=True, eq=False):
    """Something that can be asked for."""

    method: str
    paths: tuple[str, ...]
    """Such as `/rounds/{round_id:str}`; `{name:path}`, at the end, is all that follows."""
    need: Need
    function: Callable[..., Any]
    respond: Respond
    max_body: int | None = None
    """How many bytes its body may have; None for as many as the router's."""
    around: Around | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.need, Need):
            raise TypeError(f"{self.function.__qualname__} does not say who may ask for it.")


class Router:
    """Routes below a path, and what is done around each of them."""

    __slots__ = ("before", "guards", "headers", "max_body", "on_errors", "path", "routes")

    def __init__(
        self,
        path: str,
        routes: Iterable[Route],
        *,
        guards: Sequence[Guard] = (),
        before: Callable[[Request], Awaitable[Response[Any] | None]] | None = None,
        on_errors: Mapping[type[Exception], OnError] | None = None,
        headers: RawHeaders | None = None,
        max_body: int = LARGEST,
    ) -> None:
        """`before` may answer instead of a route; `headers` are those of all answers."""
        self.path = path.rstrip("/")
        self.routes = list(routes)
        self.guards, self.before, self.max_body = guards, before, max_body
        self.on_errors, self.headers = on_errors or {}, headers or []

    def endpoints(self) -> Iterator[Endpoint]:
        """Yields each route at each of its paths."""
        for route in self.routes:
            for path in route.paths:
                yield Endpoint(self.path + path.rstrip("/") or "/", route, self)


class Endpoint:
    """A route at one path of an application."""

    __slots__ = ("max_body", "method", "need", "path", "route", "router")

    def __init__(self, path: str, route: Route, router: Router) -> None:
        self.path, self.route, self.router = path, route, router
        self.method, self.need = route.method, route.need
        self.max_body = router.max_body if route.max_body is None else route.max_body

    @property
    def template(self) -> str:
        """Its path as it is documented, such as `/rounds/{round_id}`."""
        return self.path.replace(":str}", "}").replace(":path}", "}")


def get(path: str | Sequence[str], need: Need) -> Callable[[Callable[..., Any]], Route]:
    """Declares what is neither page nor operation, such as a picture: it returns its answer."""
    return _declare("GET", path, need, None)


def post(
    path: str, need: Need, *, max_body: int | None = None
) -> Callable[[Callable[..., Any]], Route]:
    """Declares what takes a form and shows no page of its own, such as an upload."""
    return _declare("POST", path, need, max_body)


def _declare(
    method: str, path: str | Sequence[str], need: Need, max_body: int | None
) -> Callable[[Callable[..., Any]], Route]:
    paths = (path,) if isinstance(path, str) else tuple(path)

    def declare(function: Callable[..., Any]) -> Route:
        takes = page_arguments(function, paths)

        async def respond(request: Request) -> ASGIApp:
            answer: ASGIApp = await function(**await takes.of(request))
            return answer

        return Route(
            method=method,
            paths=paths,
            need=need,
            function=function,
            respond=respond,
            max_body=max_body,
        )

    return declare
