"""The whole house without its server: built once in a process, given another store in each test."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from commonroom.house.app import app_state, routes, with_middleware
from commonroom.house.rooms import ROOMS
from commonroom.http.application import App
from commonroom.http.asgi import ASGIApp
from commonroom.http.live_topics import Live
from commonroom.http.metrics import Metrics
from commonroom.joins.rooms import Room
from commonroom.settings import Settings
from commonroom.store import Store


def application(
    store: Store,
    settings: Settings,
    live: Live | None = None,
    rooms: tuple[Room, ...] = ROOMS,
) -> App:
    """The routes over a store. To build them takes longer than most tests, so they are shared:
    whoever asks for another application takes the state of the one before."""
    app = application_without_store(settings.rooms, rooms)
    state = app_state(store, settings, live or Live(store), Metrics(), rooms)
    for name in list(app.state):
        del app.state[name]
    app.state.update(state)
    return app


def whole_application(store: Store, settings: Settings, rooms: Sequence[Room] = ROOMS) -> ASGIApp:
    """The same behind its middleware, as a server runs it."""
    app = application(store, settings, rooms=tuple(rooms))
    return with_middleware(app, settings, app.state.metrics)


@cache
def application_without_store(
    opened: str = Settings().rooms, rooms: tuple[Room, ...] = ROOMS
) -> App:
    """Its routes and their descriptions alone."""
    nowhere: Any = None
    return routes(Store(nowhere), Settings(rooms=opened), nowhere, Metrics(), rooms)


def every_route() -> list[tuple[str, str]]:
    """Every method and path of the house, by path."""
    found = sorted((one.path, one.method) for one in application_without_store().routes)
    return [(method, path) for path, method in found]
