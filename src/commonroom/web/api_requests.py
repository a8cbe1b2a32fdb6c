"""A request to the API, once it was let through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.connection.base import empty_receive, empty_send
from litestar.datastructures import State
from litestar.types import Receive, Scope, Send

from commonroom.accounts.tables import User
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.web.callers import Caller

PREPARED = frozenset({*ASGIConnection.__slots__, *Request.__slots__} - {"scope", "receive", "send"})
"""What Litestar sets for every request, and hardly any operation looks at."""


class ApiRequest(Request[Any, Any, State]):
    """A request that was let through: who asks, and where things are stored."""

    __slots__ = ()

    def __init__(
        self, scope: Scope, receive: Receive = empty_receive, send: Send = empty_send
    ) -> None:
        # The rest comes when it is wanted.
        self.scope = scope  # type: ignore[assignment] # of a request, as Litestar takes it
        self.receive = receive
        self.send = send

    if not TYPE_CHECKING:  # or any name would do

        def __getattr__(self, name: str) -> Any:
            if name not in PREPARED:
                raise AttributeError(name)
            super().__init__(self.scope, self.receive, self.send)
            return getattr(self, name)

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
