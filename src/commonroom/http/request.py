"""The one request that API and pages take: who asks, the store, the moment, and what was sent."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, cast
from urllib.parse import parse_qsl

from msgspec import Meta

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import BadRequest, BodyTooLarge, ClientDisconnected
from commonroom.http.asgi import Receive, Scope, receive_nothing
from commonroom.http.authentication import Caller, caller_of
from commonroom.http.client_address import address_in
from commonroom.http.headers import header_in
from commonroom.settings import Settings
from commonroom.store import Store

if TYPE_CHECKING:
    from commonroom.accounts.mailer import AccountMailer
    from commonroom.http.application import App
    from commonroom.http.routes import Endpoint

CALLER, NOW = "caller", "now"
_BODY = "body"
"""In a scope: all of the body, once it was read."""

Cursor = Annotated[str, Meta(max_length=20_000)] | None
"""Where a list continues."""
Next = Annotated[str, Meta(max_length=2000)]
"""Where to go on."""


class Request:
    """A request, as the routes see it."""

    __slots__ = ("receive", "scope")

    def __init__(self, scope: Scope, receive: Receive = receive_nothing) -> None:
        self.scope = scope
        self.receive = receive

    @property
    def app(self) -> App:
        """The application that answers."""
        app: App = self.scope["app"]
        return app

    @property
    def endpoint(self) -> Endpoint:
        """What it asks for."""
        endpoint: Endpoint = self.scope["endpoint"]
        return endpoint

    @property
    def method(self) -> str:
        """How it asks; HEAD has become GET."""
        method: str = self.scope["method"]
        return method

    @property
    def path(self) -> str:
        """Where, without slashes too many."""
        path: str = self.scope["path"]
        return path

    @property
    def path_params(self) -> dict[str, str]:
        """The parts of the path that its route names."""
        parts: dict[str, str] = self.scope["path_params"]
        return parts

    @property
    def query_params(self) -> Mapping[str, str]:
        """What stands after the question mark, by name; the last of several."""
        return dict(parse_qsl(self.scope["query_string"].decode("latin-1"), keep_blank_values=True))

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers by their names in lower case; the first of several."""
        return {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in reversed(self.scope["headers"])
        }

    @property
    def content_type(self) -> str:
        """What the body is said to be, without what is said of that."""
        return (header_in(self.scope, "content-type") or "").partition(";")[0].strip().lower()

    async def body(self) -> bytes:
        """All of the body, for everybody who asks; never more than its route takes."""
        if (read := self.scope.get(_BODY)) is None:
            read = self.scope[_BODY] = await self._read()
        return cast("bytes", read)

    async def _read(self) -> bytes:
        most = self.endpoint.max_body
        if _announced(self.scope) > most:
            raise BodyTooLarge
        pieces: list[bytes] = []
        size, more = 0, True
        while more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected("The connection was lost before the request was complete.")
            piece = message.get("body", b"")
            size += len(piece)
            if size > most:
                raise BodyTooLarge
            pieces.append(piece)
            more = message.get("more_body", False)
        return b"".join(pieces)

    @property
    def store(self) -> Store:
        """The store of this installation."""
        store: Store = self.scope["app"].state.store
        return store

    @property
    def settings(self) -> Settings:
        """What the installation has set."""
        settings: Settings = self.scope["app"].state.settings
        return settings

    @property
    def mailer(self) -> AccountMailer:
        """What sends e-mails about accounts."""
        mailer: AccountMailer = self.scope["app"].state.mailer
        return mailer

    @property
    def caller(self) -> Caller:
        """The caller."""
        caller: Caller = self.scope["state"]["caller"]
        return caller

    @property
    def person(self) -> User:
        """The caller's account; refused where they have none."""
        return self.caller.person

    @property
    def now(self) -> float:
        """The moment of the request: the same however often it is asked for."""
        now: float = self.scope["state"].setdefault(NOW, time.time())
        return now

    def start_anew(self) -> None:
        """Lets who asks and the moment be found anew, where a request lasts long."""
        for name in (CALLER, NOW):
            self.scope["state"].pop(name, None)

    async def recognise_anew(self) -> None:
        """Looks up who asks, where they may have changed since they were recognised."""
        self.scope["state"].pop(CALLER, None)
        await caller_of(self, self.now, fresh=True)

    @property
    def context(self) -> Context:
        """What services take: the store, the caller's account, the moment."""
        return Context(self.store, self.person, self.now)

    @property
    def client_address(self) -> str:
        """The network address from which the request comes, also through a proxy."""
        return address_in(self.scope, self.settings)


def _announced(scope: Scope) -> int:
    """How many bytes a request says that its body has."""
    try:
        return int(header_in(scope, "content-length") or 0)
    except ValueError:
        raise BadRequest("The Content-Length is not a number.") from None
