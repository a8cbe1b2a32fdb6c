"""The application: every router of the house, behind what every request passes."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.api import people_api
from commonroom.accounts.mailer import AccountMailer
from commonroom.accounts.pages import people_pages
from commonroom.accounts.service.blocks import export_blocked
from commonroom.house.consumers import notification_kinds
from commonroom.house.rooms import ROOMS
from commonroom.house.search import search_kinds, search_places, search_sources
from commonroom.http import health
from commonroom.http.application import App, State
from commonroom.http.asgi import ASGIApp
from commonroom.http.assets import asset_routes
from commonroom.http.hosts import check_host
from commonroom.http.live_topics import Live
from commonroom.http.metrics import Metrics, metrics
from commonroom.http.middleware import answer_heads, wrap_app
from commonroom.http.navigation.pages import navigation_pages
from commonroom.http.openapi import api_page, openapi_document
from commonroom.http.operations import operation_routes
from commonroom.http.readiness import Readiness
from commonroom.http.request_limits import limit_requests
from commonroom.http.routes import Router
from commonroom.http.words import in_their_language
from commonroom.joins.rooms import Resources, Room, flash_texts, joined, offers_of
from commonroom.joins.search_audiences import AudienceSource
from commonroom.model import model_of
from commonroom.notifications.account_cleanup import export_notifications
from commonroom.notifications.api import listing, preferences, webhooks
from commonroom.notifications.pages.listing import notification_pages
from commonroom.notifications.pages.webhooks import webhook_pages
from commonroom.outgoing.fetcher import Fetcher
from commonroom.outgoing.mail import mailer_of
from commonroom.outgoing.pictures import FetchedPictures
from commonroom.search.api import api as search_api
from commonroom.search.opening import open_index
from commonroom.search.pages import search_pages
from commonroom.settings import Settings
from commonroom.settings.addresses import networks
from commonroom.store import Store
from commonroom.titles.api import api as titles_api
from commonroom.titles.fetched_pictures import picture
from commonroom.titles.pages.administration import titles_administration
from commonroom.titles.pages.title import title_pages
from commonroom.titles.posters import Posters
from commonroom.titles.service import Titles
from commonroom.titles.sources import title_source
from commonroom.together.pages import together_pages

API = (listing.api, preferences.api, webhooks.api, titles_api, search_api)
"""The operations that belong to no room, beside those of accounts."""


def create_app(
    store: Store,
    settings: Settings,
    live: Live,
    counted: Metrics | None = None,
    rooms: Sequence[Room] = ROOMS,
) -> ASGIApp:
    """Returns the application over an open store, which stays the caller's to close."""
    counted = Metrics() if counted is None else counted
    app = routes(store, settings, live, counted, rooms)
    return with_middleware(app, settings, counted)


def with_middleware(app: App, settings: Settings, counted: Metrics) -> ASGIApp:
    """Returns the routes behind all that every request passes, from the last of it to the first.

    What follows, from who asks to the answer, are the steps of `App`.
    """
    of_ours = check_host(app, settings)
    spoken = in_their_language(of_ours)
    with_heads = answer_heads(spoken)
    limited = limit_requests(with_heads, settings)
    return wrap_app(
        limited,
        observe=counted.observe if settings.metrics else None,
        secure=settings.public_address.startswith("https://"),
        proxies=networks(settings.trusted_proxies),
        routes=app,
    )


def routes(
    store: Store,
    settings: Settings,
    live: Live,
    counted: Metrics,
    rooms: Sequence[Room] = ROOMS,
) -> App:
    """Returns all routes; each says who may ask for it, or nothing starts.

    Of a room that is switched off, nothing answers; what it keeps of people is theirs all the same.
    """
    joined("room", [{room.key: room} for room in rooms])
    state = app_state(store, settings, live, counted, rooms)
    opened: tuple[Room, ...] = state.rooms
    flash_texts(opened)  # a name that is taken is found here, not on a page
    servers = [room.load_server() for room in opened]
    return App(
        [
            people_pages(),
            together_pages(),
            navigation_pages(),
            asset_routes(),
            people_api(),
            Router("/api/v1", operation_routes(*API)),
            notification_pages(),
            webhook_pages(),
            title_pages(),
            picture,
            titles_administration(),
            search_pages(),
            openapi_document,
            api_page,
            metrics,
            health.live,
            health.ready,
            health.version,
            *(router for one in servers if one.routers for router in one.routers()),
        ],
        state=state,
        on_shutdown=[resource.close for resource in state.resources],
    )


def app_state(
    store: Store,
    settings: Settings,
    live: Live,
    counted: Metrics,
    rooms: Sequence[Room] = ROOMS,
) -> State:
    """What routes find beside the request: all that differs from one installation to the next."""
    opened = tuple(room for room in rooms if settings.is_open(room.key))
    mailer = AccountMailer(store, settings, mailer_of(settings))
    fetcher = Fetcher.of(settings)
    titles: Resources = {
        "titles": Titles(title_source(settings, store, fetcher)),
        "posters": Posters.of(settings, fetcher),
        "pictures": FetchedPictures.of(settings),
    }
    search: Resources = {"search": open_index(settings, store.identity)}
    # A room that is still being built has no pages yet that a result could lead to.
    kinds = search_kinds([room for room in opened if room.address])
    servers = [room.load_server() for room in opened]
    resources = joined(
        "resource",
        [titles, search, *(one.resources(settings, fetcher) for one in servers if one.resources)],
    )
    of_house = {"notifications": export_notifications, "blocked": export_blocked}
    exports = [of_house, *(room.data.exports for room in rooms)]
    return State(
        {
            "store": store,
            "settings": settings,
            "readiness": Readiness(store, model_of(rooms).tables[:1]),
            "live": live,
            "metrics": counted,
            "mailer": mailer,
            "rooms": opened,
            "kinds": notification_kinds(rooms),
            "closed_kinds": frozenset(
                kind.name
                for room in rooms
                if room not in opened
                for kind in room.data.notification_kinds
            ),
            "data_export": joined("part of the data export", exports),
            "search_kinds": kinds,
            "search_audiences": offers_of(opened, AudienceSource),
            "search_places": search_places(opened),
            "search_sources": search_sources(opened, kinds),
            "resources": [mailer, *resources.values(), fetcher],
            **resources,
        }
    )
