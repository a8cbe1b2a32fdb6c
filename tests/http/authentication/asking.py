"""Asking at a door who one is taken for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

from commonroom.accounts.tables import tables
from commonroom.errors import CommonroomError
from commonroom.http.application import App, State
from commonroom.http.authentication import Caller, caller_of
from commonroom.http.request import Request
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.http.authentication.somebody import furnish

Headers: TypeAlias = dict[str, str]
Outcome: TypeAlias = Caller | type[CommonroomError]


@asynccontextmanager
async def furnished(path: Path, clock: Watch) -> AsyncIterator[Store]:
    """A store in which Ben is."""
    store = Store(EmbeddedEngine(path, tables, durability="OFF", clock=clock))
    try:
        await furnish(store)
        yield store
    finally:
        await store.close()


def door(store: Store) -> App:
    """Where people are recognised; a new one remembers nobody."""
    state = State({"store": store, "settings": Settings()})
    return App([], state=state)


async def asks(
    app: App, headers: Headers, now: float, *, scheme: str = "http", fresh: bool = False
) -> Caller:
    """Whoever is recognised by these headers."""
    shown = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope: Any = {"type": "http", "scheme": scheme, "headers": shown, "app": app}
    scope["state"] = {}
    return await caller_of(Request(scope), now, fresh=fresh)


async def outcome(app: App, headers: Headers, now: float, *, fresh: bool = False) -> Outcome:
    """Whoever is recognised, or how they are refused."""
    try:
        return await asks(app, headers, now, fresh=fresh)
    except CommonroomError as error:
        return type(error)
