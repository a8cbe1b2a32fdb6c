"""The notification centre."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router
from msgspec import Struct

from commonroom.notify import notifications
from commonroom.notify.notifications import Words
from commonroom.notify.tables import Notification, newest_notifications
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import Form, Line, form, handlers, page
from commonroom.web.notifications.bell import bell
from commonroom.web.notifications.wording import kinds_in, words_of
from commonroom.web.redirects import redirect
from commonroom.web.render import render
from commonroom.web.request import Cursor, Request
from commonroom.web.words import language_of, speaking

HERE = "/notifications"
TEMPLATE = "notifications/notifications.html"
LARGEST_FORM = 4096
AT_ONCE = 20


class ReadForm(Form):
    """Up to which moment everything is read."""

    until: Line = ""


class Shown(Struct, frozen=True):
    """A notification with its words."""

    notification: Notification
    words: Words


@page(HERE, Need.BROWSER)
async def list_notifications(request: Request, cursor: Cursor = None) -> Response[Any]:
    """What one was told, the newest first: one request."""
    pattern = newest_notifications(user_id=request.person.user_id)
    found = await request.store.page(pattern, limit=AT_ONCE, cursor=cursor)
    with speaking(language_of(request.scope)):
        shown = [Shown(one, words_of(kinds_in(request), one)) for one in found.items]
    return render(request, TEMPLATE, shown=shown, cursor=found.cursor)


@form(f"{HERE}/read", Need.BROWSER, leads_to=HERE)
async def read_all(ctx: Ctx, data: ReadForm) -> None:
    """Marks read what was on the page, and what is older."""
    await notifications.read_all(ctx, until=data.until or None)


@page(f"{HERE}/{{notification_id:str}}", Need.BROWSER)
async def follow(request: Request, notification_id: str) -> Response[Any]:
    """Leads to what a notification is about; it is read then."""
    found = await notifications.read(request.context, notification_id)
    return redirect(found.link)


def notification_pages() -> Router:
    """The pages, at their addresses."""
    return Router(
        "/",
        route_handlers=handlers(list_notifications, read_all, follow, bell),
        include_in_schema=False,
        request_max_body_size=LARGEST_FORM,
    )
