"""A person's calendar feed: the private address at which calendar programs follow it."""

from __future__ import annotations

from commonroom.accounts.api import views
from commonroom.accounts.service import calendar_feed
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.sharing import shared

HERE = "/me/calendar-feed"


api = Operations("My account")


@api.get(HERE, Need.NOT_ACTING)
async def get_calendar_feed(ctx: Ctx) -> views.CalendarFeedView:
    """Get whether one's calendar has an address for calendar programs."""
    feed = await calendar_feed.find_feed(ctx)
    return views.CalendarFeedView(None if feed is None else feed.made_at)


@api.post(HERE, Need.BROWSER)
async def make_calendar_feed(request: Request) -> views.CalendarFeedAddress:
    """Make an address at which calendar programs follow one's calendar.

    It is shown this once, and an earlier one works no longer. A token cannot make one.
    """
    token = await calendar_feed.make_feed(request.context)
    path = calendar_feed.feed_address(request.person.user_id, token)
    return views.CalendarFeedAddress(shared(request, path, "").address)


@api.delete(HERE, Need.NOT_ACTING)
async def revoke_calendar_feed(ctx: Ctx) -> None:
    """Revoke the address of one's calendar."""
    await calendar_feed.revoke_feed(ctx)
