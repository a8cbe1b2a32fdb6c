"""A request to the API, once it was let through."""

from __future__ import annotations

from typing import Any, cast

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.connection.base import empty_receive, empty_send
from litestar.datastructures import State
from litestar.types import HTTPScope, Receive, Scope, Send

from commonroom.accounts.tables import User
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.web.callers import Caller

_LATER = frozenset({*ASGIConnection.__slots__, *Request.__slots__}) - {"scope", "receive", "send"}


class ApiRequest(Request[Any, Any, State]):
    """A request that was let through: who asks, and where things are stored."""

    __slots__ = ()

    def __init__(
        self, scope: Scope, receive: Receive = empty_receive, send: Send = empty_send
    ) -> None:
        # What Litestar keeps beside these is made when it is first asked for: most reads never do.
        self.scope = cast("HTTPScope", scope)
        self.receive = receive
        self.send = send

    def __getattr__(self, name: str) -> Any:
        """Something of Litestar's that is not there yet; all of it is from now on."""
        if name not in _LATER:
            raise AttributeError(name)
        super().__init__(self.scope, self.receive, self.send)
        return object.__getattribute__(self, name)

    @property
    def store(self) -> Store:
        """The store."""
        store: Store = self.scope["litestar_app"].state.store
        return store

    @property
    def settings(self) -> Settings:
        """What the installation has set."""
        settings: Settings = self.scope["litestar_app"].state.settings
        return settings

    @property
    def caller(self) -> Caller:
        """Whoever asks."""
        caller: Caller = self.scope["state"]["caller"]
        return caller

    @property
    def person(self) -> User:
        """The account of whoever asks."""
        return self.caller.person
