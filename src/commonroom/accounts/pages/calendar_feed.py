"""A person's calendar feed: its address for calendar programs, made, replaced and revoked."""

from __future__ import annotations

from itertools import chain
from typing import Any

from commonroom.accounts.service import calendar_feed
from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.calendar_files import calendar_response, count_calendar_file
from commonroom.http.call_limits import CallLimit, count_call_for
from commonroom.http.forms import Pages
from commonroom.http.render import render, render_secret
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.sharing import shared
from commonroom.http.words import ENGLISH, _, speaking
from commonroom.joins.calendar import CalendarSource
from commonroom.joins.rooms import open_offers
from commonroom.rate_limits import Rate

HERE = "/me/calendar"
FEEDS = CallLimit(
    "calendar feeds",
    guest=Rate(burst=30, per_minute=6),
    account=Rate(burst=30, per_minute=6),
)
"""Of one person's calendar, by all programs that follow it."""


pages = Pages()


@pages.page(HERE, Need.BROWSER)
async def calendar_page(request: Request) -> Response[Any]:
    """Whether there is an address, and how to get one: one request."""
    feed = await calendar_feed.find_feed(request.context)
    return render(request, "people/calendar.html", feed=feed)


@pages.form(HERE, Need.BROWSER, on=calendar_page)
async def make_feed(request: Request) -> Response[Any]:
    """Makes an address, and shows it this once; an earlier one works no longer."""
    token = await calendar_feed.make_feed(request.context)
    made = shared(
        request,
        calendar_feed.feed_address(request.person.user_id, token),
        _("Commonroom"),
        is_shown_once=True,
    )
    subscribe = f"webcal://{made.address.partition('://')[2]}"
    return render_secret(request, "people/calendar_made.html", feed=made, subscribe=subscribe)


@pages.form(f"{HERE}/revoke", Need.BROWSER, leads_to=HERE, flash="calendar-revoked")
async def revoke_feed(ctx: Ctx) -> None:
    """Ends the address."""
    await calendar_feed.revoke_feed(ctx)


@pages.page(calendar_feed.FEED, Need.ANYONE)
async def calendar_feed_file(request: Request, user_id: str, file: str) -> Response[bytes]:
    """Returns a person's calendar, to any holder of its address."""
    count_calendar_file(request)
    if not file.endswith(calendar_feed.ENDING):
        raise NotFound("This calendar address does not work, or no longer.")
    person = await calendar_feed.open_feed(
        request.store, user_id, file.removesuffix(calendar_feed.ENDING)
    )
    count_call_for(request, FEEDS, person.user_id)
    sources = open_offers(request, CalendarSource)
    with speaking(person.language or ENGLISH):
        parts = await request.store.gather_all(
            one.entries(request.store, person, request.now) for one in sources
        )
        name = _("Commonroom: %(name)s") % {"name": person.display_name}
    return await calendar_response(request, list(chain.from_iterable(parts)), name=name)
