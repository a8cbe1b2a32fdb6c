"""The application: finds the route of a request, and lets it pass all that stands before it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from commonroom.http.access import check_access
from commonroom.http.address_secrets import SecretPaths
from commonroom.http.asgi import Message, Receive, Scope, Send
from commonroom.http.headers import check_host_header
from commonroom.http.problems import answer_error
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Endpoint, Guard, Route, Router
from commonroom.http.routing import RoutingTable

Explain: TypeAlias = Callable[[Request, Exception], Awaitable[Response[Any]]]
"""Returns the answer to a request that went wrong."""


class State(MutableMapping[str, Any]):
    """What routes find beside the request, by attribute or by name."""

    def __init__(self, given: Iterable[tuple[str, Any]] | dict[str, Any] = ()) -> None:
        vars(self).update(given)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)  # it says that any name may be there

    def __setattr__(self, name: str, value: Any) -> None:
        vars(self)[name] = value

    def __getitem__(self, name: str) -> Any:
        return vars(self)[name]

    def __setitem__(self, name: str, value: Any) -> None:
        vars(self)[name] = value

    def __delitem__(self, name: str) -> None:
        del vars(self)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self))

    def __len__(self) -> int:
        return len(vars(self))


class Sending:
    """Sends an answer, with the headers of its router, and knows whether it has started."""

    __slots__ = ("_send", "headers", "is_started")

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_started = False
        self.headers: Sequence[tuple[bytes, bytes]] = ()

    async def __call__(self, message: Message) -> None:
        if not self.is_started:
            self.is_started = True
            if self.headers:
                message["headers"] = [*message["headers"], *self.headers]
        await self._send(message)


class App:
    """Routes, and what they find beside the request."""

    def __init__(
        self,
        routes: Iterable[Router | Route],
        *,
        state: State | None = None,
        guard: Guard = check_access,
        explain: Explain = answer_error,
        on_shutdown: Sequence[Callable[[], Awaitable[None]]] = (),
    ) -> None:
        self.state = State() if state is None else state
        self._guard, self._explain, self._on_shutdown = guard, explain, on_shutdown
        self._table = RoutingTable()
        for one in routes:
            self._table.add(one if isinstance(one, Router) else Router("/", [one]))

    @property
    def routes(self) -> Sequence[Endpoint]:
        """Every route at every path, in the order in which they were declared."""
        return self._table.endpoints

    @cached_property
    def secret_paths(self) -> SecretPaths:
        """Returns which of its paths hold secrets."""
        return SecretPaths(dict.fromkeys(one.path for one in self.routes))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or opens and closes what lasts as long as the server runs."""
        if scope["type"] == "http":
            scope["app"] = self
            scope.setdefault("state", {})
            await self._explained(self._answer, Request(scope, receive), Sending(send))
        elif scope["type"] == "lifespan":
            await self._last(receive, send)

    async def _answer(self, request: Request, send: Sending) -> None:
        """Answers a request: after limits and host, these are the steps that every one takes."""
        check_host_header(request.scope)  # where it thinks that it is
        endpoint = self._table.find(request.scope)  # what it asks for
        request.scope["endpoint"] = endpoint
        send.headers = endpoint.router.headers
        await self._guard(request)  # who asks, and who may
        if endpoint.route.around is None:
            await self._act(request, send)
        else:  # perhaps it was done before
            await endpoint.route.around(request, self._act_or_explain, send)

    async def _act(self, request: Request, send: Send) -> None:
        """Does what is asked for, once it is known that the caller may."""
        endpoint = request.endpoint
        answer: Any = None
        for guard in endpoint.router.guards:  # how often they may
            await guard(request)
        if endpoint.router.before is not None:
            answer = await endpoint.router.before(request)
        if answer is None:
            answer = await endpoint.route.respond(request)  # reads the body, and acts
        await answer(request.scope, request.receive, send)

    async def _act_or_explain(self, request: Request, send: Send) -> None:
        await self._explained(self._act, request, Sending(send))

    async def _explained(
        self, answer: Callable[[Request, Any], Awaitable[None]], request: Request, send: Sending
    ) -> None:
        """Answers; whatever goes wrong is answered, too, unless the answer has started by then."""
        try:
            await answer(request, send)
        except Exception as error:
            if send.is_started:
                raise
            explanation = await self._explain(request, error)
            await explanation(request.scope, request.receive, send)

    async def _last(self, receive: Receive, send: Send) -> None:
        """Closes what it holds when the server ends."""
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for close in self._on_shutdown:
            await close()
        await send({"type": "lifespan.shutdown.complete"})
