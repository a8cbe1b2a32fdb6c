"""The whole house without its server: built once in a process, given another store in each test."""

from __future__ import annotations

from functools import cache
from typing import Any

from litestar import Litestar
from litestar.types import ASGIApp

from commonroom.house.app import app_state, litestar, with_middleware
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.web.live import Live
from commonroom.web.metrics import Metrics


def application(store: Store, settings: Settings, live: Live | None = None) -> Litestar:
    """The routes over a store. To build them takes longer than most tests, so they are shared:
    whoever asks for another application takes the state of the one before."""
    app = application_without_store(settings.rooms)
    state = app_state(store, settings, live or Live(store), Metrics())
    for name in list(app.state):
        del app.state[name]
    app.state.update(state.dict())
    return app


def whole_application(store: Store, settings: Settings) -> ASGIApp:
    """The same behind its middleware, as a server runs it."""
    app = application(store, settings)
    return with_middleware(app, settings, app.state.metrics)


@cache
def application_without_store(rooms: str = Settings().rooms) -> Litestar:
    """Its routes and their descriptions alone."""
    nowhere: Any = None
    return litestar(nowhere, Settings(rooms=rooms), nowhere, Metrics())


def every_route() -> list[tuple[str, str]]:
    """Every method and path of the house, by path, without those that Litestar adds by itself."""
    found = {
        (route.path, method)
        for route in application_without_store().routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS"
    }
    return [(method, path) for path, method in sorted(found)]
