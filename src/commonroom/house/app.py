"""The application: every router of the house, one guard at the door, one voice for errors."""

from __future__ import annotations

from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp

from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.web import assets, health
from commonroom.web.access import check_access, check_every_route
from commonroom.web.live import Live
from commonroom.web.metrics import Metrics, metrics
from commonroom.web.openapi import api_page, openapi_document
from commonroom.web.outer import outer
from commonroom.web.people import pages
from commonroom.web.people.api import people_api
from commonroom.web.problems import said


def create_app(store: Store, settings: Settings, live: Live) -> ASGIApp:
    """The application over an open store, which stays the caller's to close."""
    counted = Metrics()
    app = litestar(store, settings, live, counted)
    return outer(
        app,
        observe=counted.observe if settings.metrics else None,
        secure=settings.public_address.startswith("https://"),
    )


def litestar(store: Store, settings: Settings, live: Live, counted: Metrics) -> Litestar:
    """All routes; each says who may ask for it, or nothing starts."""
    app = Litestar(
        [
            pages.router,
            assets.router,
            people_api(),
            openapi_document,
            api_page,
            metrics,
            health.live,
            health.ready,
            health.version,
        ],
        guards=[check_access],
        exception_handlers={Exception: said},
        state=State(
            {
                "store": store,
                "settings": settings,
                "tables": MODEL.tables,
                "live": live,
                "metrics": counted,
            }
        ),
        openapi_config=None,
        logging_config=None,
    )
    check_every_route(app)
    return app
