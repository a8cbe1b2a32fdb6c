"""A request to the API, once it was let through."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import State

from commonroom.accounts.tables import User
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.web.callers import Caller


class ApiRequest(Request[Any, Any, State]):
    """A request that was let through: who asks, and where things are stored."""

    __slots__ = ()

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
