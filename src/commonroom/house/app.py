"""The application: every router of the house, one guard at the door, one voice for errors."""

from __future__ import annotations

from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp

from commonroom.catalog.opening import film_source, posters
from commonroom.house.consumers import kinds
from commonroom.house.keepers import keepers
from commonroom.house.rooms import doors, vouching
from commonroom.library.service.covers import Covers
from commonroom.library.service.lookup.opening import book_source
from commonroom.model import MODEL
from commonroom.outgoing.fetching import Fetcher
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings
from commonroom.settings.proxies import networks
from commonroom.store import Store
from commonroom.web import assets, health, offline
from commonroom.web.access import check_access, check_every_route
from commonroom.web.direct import direct
from commonroom.web.forms_forgotten import forget_forms
from commonroom.web.heads import answer_heads
from commonroom.web.hosts import check_host
from commonroom.web.languages import in_their_language
from commonroom.web.live import Live
from commonroom.web.metrics import Metrics, metrics
from commonroom.web.notices import pages as notices
from commonroom.web.notices.api import notices_api
from commonroom.web.openapi import api_page, openapi_document
from commonroom.web.outer import outer
from commonroom.web.people import pages
from commonroom.web.people.api import people_api
from commonroom.web.people.post import Post
from commonroom.web.problems import recognise, said
from commonroom.web.request_limits import limit_requests


def create_app(
    store: Store, settings: Settings, live: Live, counted: Metrics | None = None
) -> ASGIApp:
    """The application over an open store, which stays the caller's to close."""
    counted = Metrics() if counted is None else counted
    return with_middleware(litestar(store, settings, live, counted), settings, counted)


def with_middleware(app: Litestar, settings: Settings, counted: Metrics) -> ASGIApp:
    """The routes behind all that every request passes."""
    return outer(
        limit_requests(
            answer_heads(in_their_language(check_host(direct(app), settings))), settings
        ),
        observe=counted.observe if settings.metrics else None,
        secure=settings.public_address.startswith("https://"),
        proxies=networks(settings.trusted_proxies),
    )


def litestar(store: Store, settings: Settings, live: Live, counted: Metrics) -> Litestar:
    """All routes; each says who may ask for it, or nothing starts."""
    forget_forms()
    state = app_state(store, settings, live, counted)
    app = Litestar(
        [
            pages.router,
            assets.router,
            people_api(),
            notices.router,
            offline.router,
            notices_api(),
            openapi_document,
            api_page,
            metrics,
            health.live,
            health.ready,
            health.version,
            *doors(settings),
        ],
        guards=[check_access],
        after_exception=[recognise],
        exception_handlers={Exception: said},
        state=state,
        on_shutdown=[
            state.post.close,
            state.films.close,
            state.posters.close,
            state.books.close,
            state.covers.close,
            state.fetcher.close,
        ],
        openapi_config=None,
        logging_config=None,
    )
    check_every_route(app)
    return app


def app_state(store: Store, settings: Settings, live: Live, counted: Metrics) -> State:
    """What routes find beside the request: all that differs from one installation to the next."""
    fetcher = Fetcher.of(settings)
    return State(
        {
            "store": store,
            "settings": settings,
            "tables": MODEL.tables,
            "live": live,
            "metrics": counted,
            "post": Post(store, settings, mailer_of(settings)),
            "kinds": kinds(),
            "keepers": keepers(),
            "vouching": vouching(settings),
            "fetcher": fetcher,
            "films": film_source(settings, store, fetcher),
            "posters": posters(settings, fetcher),
            "books": book_source(settings, fetcher),
            "covers": Covers.of(settings),
        }
    )
