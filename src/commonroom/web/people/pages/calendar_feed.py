"""A person's calendar feed: its address for calendar programs, made, replaced and revoked."""

from __future__ import annotations

from itertools import chain
from math import ceil
from typing import Any

from litestar import Response

from commonroom.accounts.service import calendar_feed
from commonroom.errors import NotFound, RateLimited
from commonroom.rate_limits import Rate, RateLimiter, network_of
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.calendars import MEDIA_TYPE, calendar_file
from commonroom.web.etags import is_known, tag_of_file
from commonroom.web.forms import form, handlers, page
from commonroom.web.headers import header_in
from commonroom.web.people.calendar_addresses import ENDING, FEED, feed_address
from commonroom.web.render import render, render_secret
from commonroom.web.request import Request
from commonroom.web.rooms import open_rooms
from commonroom.web.sharing import shared
from commonroom.web.words import ENGLISH, _, speaking

HERE = "/me/calendar"
OF_NETWORK = Rate(burst=120, per_minute=60)
"""From one address, behind which the calendars of many people may be fetched."""
OF_PERSON = Rate(burst=30, per_minute=6)
"""Of one calendar, by all programs that follow it."""


class FeedLimits:
    """How often feeds may be fetched, counted by each process for itself."""

    def __init__(self) -> None:
        self._networks = RateLimiter(OF_NETWORK)
        self._people = RateLimiter(OF_PERSON)

    def ask(self, address: str) -> None:
        """Counts that somebody asks for a feed, whichever."""
        self._take(self._networks, network_of(address))

    def fetch(self, user_id: str) -> None:
        """Counts that a feed is fetched."""
        self._take(self._people, user_id)

    @staticmethod
    def _take(limiter: RateLimiter, key: str) -> None:
        if wait := limiter.take(key):
            raise RateLimited(ceil(wait))


@page(HERE, Need.BROWSER)
async def calendar_page(request: Request) -> Response[Any]:
    """Whether there is an address, and how to get one: one request."""
    feed = await calendar_feed.find_feed(request.context)
    return render(request, "people/calendar.html", feed=feed)


@form(HERE, Need.BROWSER, on=calendar_page)
async def make_feed(request: Request) -> Response[Any]:
    """Makes an address, and shows it this once; an earlier one works no longer."""
    token = await calendar_feed.make_feed(request.context)
    made = shared(request, feed_address(request.person.user_id, token), _("Commonroom"))
    subscribe = f"webcal://{made.address.partition('://')[2]}"
    return render_secret(request, "people/calendar_made.html", feed=made, subscribe=subscribe)


@form(f"{HERE}/revoke", Need.BROWSER, leads_to=HERE, flash="calendar-revoked")
async def revoke_feed(ctx: Ctx) -> None:
    """Ends the address."""
    await calendar_feed.revoke_feed(ctx)


@page(FEED, Need.ANYONE)
async def calendar_feed_file(request: Request, user_id: str, file: str) -> Response[bytes]:
    """A person's calendar, for whoever has its address."""
    limits = _limits_of(request)
    limits.ask(request.client_address)
    if not file.endswith(ENDING):
        raise NotFound("This calendar address does not work, or no longer.")
    person = await calendar_feed.open_feed(request.store, user_id, file.removesuffix(ENDING))
    limits.fetch(person.user_id)
    sources = [room.calendar for room in open_rooms(request) if room.calendar is not None]
    with speaking(person.language or ENGLISH):
        parts = await request.store.gather_all(
            source(request.store, person, request.now) for source in sources
        )
        content = calendar_file(
            list(chain.from_iterable(parts)),
            shared(request, "", "").address,
            name=_("Commonroom: %(name)s") % {"name": person.display_name},
        )
    tag = tag_of_file(content)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if is_known(header_in(request.scope, "if-none-match"), tag):
        return Response(b"", status_code=304, media_type=MEDIA_TYPE, headers=headers)
    return Response(content, media_type=MEDIA_TYPE, headers=headers)


def _limits_of(request: Request) -> FeedLimits:
    state = request.scope["litestar_app"].state
    try:
        limits: FeedLimits = state.calendar_feed_limits
    except AttributeError:
        limits = state.calendar_feed_limits = FeedLimits()
    return limits


HANDLERS = handlers(calendar_page, make_feed, revoke_feed, calendar_feed_file)
