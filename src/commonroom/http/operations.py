"""Operations of the API: declared once, for callers and for readers of the documentation."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeAlias, TypedDict, Unpack, get_args, get_origin

from litestar import Litestar
from litestar.types import ASGIApp, Method
from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.http.access import Need, needs
from commonroom.http.arguments import Arguments, arguments_of, hints_of
from commonroom.http.bodies import LARGEST
from commonroom.http.idempotency import once
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.http.routes import FastRoute
from commonroom.http.shared_signatures import SharedSignatureRoute

DESCRIBED = "described"
Function: TypeAlias = Callable[..., Awaitable[Any]]
"""Returns what is sent as JSON, or a `JsonResponse` with a status or headers of its own."""
Declare: TypeAlias = Callable[[Function], "OperationRoute"]
Expected: TypeAlias = type[CommonroomError] | int
"""An error that an operation may raise, or a status with which it may answer besides its own."""


class Options(TypedDict, total=False):
    """What an operation may say of itself besides its path and who may ask for it."""

    status: int
    errors: Collection[Expected]
    """What the function itself may raise; what any request may meet is known."""
    cookie: bool
    """Whether it signs a browser in or out."""
    file: str | None
    """The type of the file that it answers with."""
    repeatable: bool
    """Whether it takes an idempotency key although anybody may ask for it."""


class OperationDocs(Struct, frozen=True):
    """What the documentation says of an operation."""

    name: str
    summary: str
    description: str
    need: Need
    takes: Arguments
    gives: Any
    status: int
    errors: tuple[Expected, ...]
    cookie: bool = False
    """Whether it signs a browser in or out."""
    repeatable: bool = False
    """Whether it takes an idempotency key."""
    file: str | None = None
    """The type of the file that it answers with, where it does."""

    def __deepcopy__(self, memo: object) -> OperationDocs:
        """Itself: Litestar copies routers with all that is in them."""
        return self


class OperationRoute(SharedSignatureRoute, FastRoute):
    """A route of the API, which is documented."""

    __slots__ = ()

    async def answer(self, app: Litestar, request: Request) -> ASGIApp:
        """Returns what the function gives, as it is sent."""
        result = await self.fn(request)
        sent: ASGIApp = result.to_asgi_response(app, request, status_code=self.status_code)
        return sent

    def resolve_request_class(self) -> type[Request]:
        """Returns the class of requests."""
        return Request


class Operations:
    """Operations under one heading of the documentation, collected as they are declared."""

    def __init__(
        self,
        tag: str,
        *,
        errors: Collection[Expected] = (),
        routes: list[OperationRoute] | None = None,
    ) -> None:
        """`errors` are those of every operation that does not name its own."""
        self.routes: list[OperationRoute] = [] if routes is None else routes
        self._tag, self._errors = tag, errors

    def tagged(self, tag: str) -> Operations:
        """Returns another heading, whose operations are collected with these."""
        return Operations(tag, errors=self._errors, routes=self.routes)

    def get(self, path: str, need: Need, **options: Unpack[Options]) -> Declare:
        """Declares an operation that reads."""
        return self._declare("GET", path, need, options)

    def post(self, path: str, need: Need, **options: Unpack[Options]) -> Declare:
        """Declares an operation that makes something."""
        options.setdefault("status", 201)
        return self._declare("POST", path, need, options)

    def put(self, path: str, need: Need, **options: Unpack[Options]) -> Declare:
        """Declares an operation that sets something, however often it is asked."""
        return self._declare("PUT", path, need, options)

    def patch(self, path: str, need: Need, **options: Unpack[Options]) -> Declare:
        """Declares an operation that changes what is given and leaves the rest."""
        return self._declare("PATCH", path, need, options)

    def delete(self, path: str, need: Need, **options: Unpack[Options]) -> Declare:
        """Declares an operation that ends something."""
        return self._declare("DELETE", path, need, options)

    def _declare(self, method: Method, path: str, need: Need, options: Options) -> Declare:
        options.setdefault("errors", self._errors)
        declare = _declare(method, path, need, **options)

        def collect(function: Function) -> OperationRoute:
            route = declare(function)
            route.tags = [self._tag]
            self.routes.append(route)
            return route

        return collect


def operation_routes(*parts: Operations) -> list[OperationRoute]:
    """Returns all operations of some parts of the house."""
    return [route for part in parts for route in part.routes]


def _declare(
    method: Method,
    path: str,
    need: Need,
    *,
    status: int = 200,
    errors: Collection[Expected] = (),
    cookie: bool = False,
    file: str | None = None,
    repeatable: bool = False,
) -> Declare:
    """Declares an operation.

    Every POST of a signed-in caller takes an idempotency key; one that anybody may ask does
    where it is said to be `repeatable`: signing in, which sets a cookie, is not.
    """

    def declare(function: Function) -> OperationRoute:
        takes = arguments_of(function, method, path)
        gives = hints_of(function)["return"]
        if get_origin(gives) is JsonResponse:
            gives = get_args(gives)[0]
        summary, _, description = (inspect.getdoc(function) or "").partition("\n")
        empty = gives is type(None)
        takes_key = method == "POST" and (repeatable or need is not Need.ANYONE)
        described = OperationDocs(
            name=_camel(function.__name__),
            summary=summary.rstrip("."),
            description=description.strip(),
            need=need,
            takes=takes,
            gives=None if empty else gives,
            status=204 if empty and file is None else status,
            errors=tuple(errors),
            cookie=cookie,
            repeatable=takes_key,
            file=file,
        )
        route = OperationRoute(
            path,
            http_method=method,
            opt={**needs(need), DESCRIBED: described},
            middleware=[once] if takes_key else [],
            request_class=Request,
            request_max_body_size=LARGEST if takes.file is None else takes.file[1].largest,
            status_code=described.status,
            sync_to_thread=None,
        )
        route(_handler(function, takes))
        return route

    return declare


def _handler(function: Function, takes: Arguments) -> Callable[..., Awaitable[JsonResponse[Any]]]:
    """Returns a function as Litestar calls it, with nothing but the request."""

    async def handle(request: Request) -> JsonResponse[None]:  # as Litestar wants it for 204
        done = await function(**await takes.of(request))
        return done if isinstance(done, JsonResponse) else JsonResponse(done)

    handle.__name__ = function.__name__
    handle.__doc__ = function.__doc__
    return handle


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
