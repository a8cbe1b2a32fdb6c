"""The one request that API and pages take: who asks, the store, the moment."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import litestar
from litestar.connection import ASGIConnection
from litestar.connection.base import empty_receive, empty_send
from litestar.datastructures import State
from litestar.params import QueryParameter
from litestar.types import Receive, Scope, Send

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.http.authentication import Caller, caller_of
from commonroom.http.client_address import address_in
from commonroom.settings import Settings
from commonroom.store import Store

if TYPE_CHECKING:
    from commonroom.accounts.mailer import AccountMailer

PREPARED = frozenset(
    {*ASGIConnection.__slots__, *litestar.Request.__slots__} - {"scope", "receive", "send"}
)
"""What Litestar sets for every request, and hardly any operation looks at."""
CALLER, NOW = "caller", "now"

Cursor = Annotated[str | None, QueryParameter(max_length=20_000)]
"""Where a list continues."""
Next = Annotated[str, QueryParameter(max_length=2000)]
"""Where to go on."""


class Request(litestar.Request[Any, Any, State]):
    """A request that the guard let through."""

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
        """The store of this installation."""
        store: Store = self.scope["litestar_app"].state.store
        return store

    @property
    def settings(self) -> Settings:
        """What the installation has set."""
        settings: Settings = self.scope["litestar_app"].state.settings
        return settings

    @property
    def mailer(self) -> AccountMailer:
        """What sends e-mails about accounts."""
        mailer: AccountMailer = self.scope["litestar_app"].state.mailer
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
