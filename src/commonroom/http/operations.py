"""Operations of the API: declared once, for callers and for readers of the documentation."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeAlias, TypedDict, Unpack, get_args, get_origin

from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.http.access import Need
from commonroom.http.arguments import Arguments, arguments_of, hints_of
from commonroom.http.asgi import ASGIApp
from commonroom.http.bodies import LARGEST
from commonroom.http.idempotency import once
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.http.routes import Respond, Route

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


class OperationRoute(Route):
    """A route of the API, which is documented."""

    docs: OperationDocs
    tag: str
    """The heading under which it is documented."""


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

    def _declare(self, method: str, path: str, need: Need, options: Options) -> Declare:
        options.setdefault("errors", self._errors)

        def declare(function: Function) -> OperationRoute:
            route = _route(function, self._tag, method, path, need, **options)
            self.routes.append(route)
            return route

        return declare


def operation_routes(*parts: Operations) -> list[OperationRoute]:
    """Returns all operations of some parts of the house."""
    return [route for part in parts for route in part.routes]


def _route(
    function: Function,
    tag: str,
    method: str,
    path: str,
    need: Need,
    *,
    status: int = 200,
    errors: Collection[Expected] = (),
    cookie: bool = False,
    file: str | None = None,
    repeatable: bool = False,
) -> OperationRoute:
    """Returns the route of an operation.

    Every POST of a signed-in caller takes an idempotency key; one that anybody may ask does
    where it is said to be `repeatable`: signing in, which sets a cookie, is not.
    """
    takes = arguments_of(function, method, path)
    gives = hints_of(function)["return"]
    if get_origin(gives) is JsonResponse:
        gives = get_args(gives)[0]
    summary, _, description = (inspect.getdoc(function) or "").partition("\n")
    empty = gives is type(None)
    takes_key = method == "POST" and (repeatable or need is not Need.ANYONE)
    docs = OperationDocs(
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
    return OperationRoute(
        method=method,
        paths=(path,),
        need=need,
        function=function,
        respond=_respond(function, takes, docs.status),
        max_body=LARGEST if takes.file is None else takes.file[1].largest,
        around=once if takes_key else None,
        docs=docs,
        tag=tag,
    )


def _respond(function: Function, takes: Arguments, status: int) -> Respond:
    """Returns what calls an operation with what it takes, and answers with what it gives."""

    async def respond(request: Request) -> ASGIApp:
        result = await function(**await takes.of(request))
        answer = result if isinstance(result, JsonResponse) else JsonResponse(result)
        if answer.status_code is None:
            answer.status_code = status
        return answer

    return respond


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
