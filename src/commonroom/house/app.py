"""The application: every router of the house, one guard at the door, one voice for errors."""

from __future__ import annotations

from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp

from commonroom.catalog.film_source import film_source
from commonroom.catalog.posters import Posters
from commonroom.house.consumers import kinds
from commonroom.house.keepers import keepers
from commonroom.house.rooms import doors, vouching
from commonroom.library.service.covers import Covers
from commonroom.library.service.lookup.opening import book_source
from commonroom.model import MODEL
from commonroom.outgoing.fetcher import Fetcher
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings
from commonroom.settings.network import networks
from commonroom.store import Store
from commonroom.web import assets, health, offline
from commonroom.web.access import check_access, check_every_route
from commonroom.web.api_fast_path import fast_path
from commonroom.web.heads import answer_heads
from commonroom.web.hosts import check_host
from commonroom.web.languages import in_their_language
from commonroom.web.litestar_patches import patch_litestar
from commonroom.web.live import Live
from commonroom.web.metrics import Metrics, metrics
from commonroom.web.middleware import wrap_app
from commonroom.web.notifications import pages as notifications
from commonroom.web.notifications.api import notifications_api
from commonroom.web.openapi import api_page, openapi_document
from commonroom.web.people import pages
from commonroom.web.people.api import people_api
from commonroom.web.people.mailer import AccountMailer
from commonroom.web.problems import handle_error, recognise
from commonroom.web.request import Request
from commonroom.web.request_limits import limit_requests


def create_app(
    store: Store, settings: Settings, live: Live, counted: Metrics | None = None
) -> ASGIApp:
    """The application over an open store, which stays the caller's to close."""
    counted = Metrics() if counted is None else counted
    app = litestar(store, settings, live, counted)
    return wrap_app(
        limit_requests(
            answer_heads(in_their_language(check_host(fast_path(app), settings))), settings
        ),
        observe=counted.observe if settings.metrics else None,
        secure=settings.public_address.startswith("https://"),
        proxies=networks(settings.trusted_proxies),
    )


def litestar(store: Store, settings: Settings, live: Live, counted: Metrics) -> Litestar:
    """All routes; each says who may ask for it, or nothing starts."""
    patch_litestar()
    post = AccountMailer(store, settings, mailer_of(settings))
    fetcher = Fetcher.of(settings)
    films, pictures = film_source(settings, store, fetcher), Posters.of(settings, fetcher)
    books, covers = book_source(settings, fetcher), Covers.of(settings)
    app = Litestar(
        [
            pages.router,
            assets.router,
            people_api(),
            notifications.router,
            offline.router,
            notifications_api(),
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
        exception_handlers={Exception: handle_error},
        state=State(
            {
                "store": store,
                "settings": settings,
                "tables": MODEL.tables,
                "live": live,
                "metrics": counted,
                "mailer": post,
                "kinds": kinds(),
                "keepers": keepers(),
                "vouching": vouching(settings),
                "films": films,
                "posters": pictures,
                "books": books,
                "covers": covers,
            }
        ),
        on_shutdown=[
            post.close,
            films.close,
            pictures.close,
            books.close,
            covers.close,
            fetcher.close,
        ],
        request_class=Request,
        openapi_config=None,
        logging_config=None,
    )
    check_every_route(app)
    return app
