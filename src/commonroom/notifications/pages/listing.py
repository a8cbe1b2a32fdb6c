"""The notification centre."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Response, Router
from litestar.params import QueryParameter
from msgspec import Struct

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Address, Form, Line, Pages, page_routes
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Cursor, Request
from commonroom.http.words import language_of, speaking
from commonroom.notifications import reading
from commonroom.notifications.groups import NotificationThread, grouped
from commonroom.notifications.kinds import Kind, NotificationAction, Words
from commonroom.notifications.pages import preferences
from commonroom.notifications.pages.bell import bell
from commonroom.notifications.tables import Notification, newest_notifications
from commonroom.notifications.wording import (
    action_of,
    is_shown,
    kinds_in,
    words_of,
    words_of_group,
)

HERE = "/notifications"
TEMPLATE = "notifications/notifications.html"
MAX_FORM = 16 * 1024
BATCH = 60
"""How many notifications a page of the list is made of; it shows the things they are about."""
MAX_SHOWN = 300
"""Of how many things an address knows that they were on the pages before."""

Shown = Annotated[str, QueryParameter(max_length=MAX_SHOWN * 7)]


pages = Pages()


class ReadForm(Form):
    """What is read: everything up to a moment, or what is about a thing or leads to a page."""

    until: Line = ""
    thing: Address = ""
    page: Address = ""


class OneShown(Struct, frozen=True):
    """A notification with its words."""

    notification: Notification
    words: Words


class GroupShown(Struct, frozen=True):
    """All about one thing with their words, and each of them, where there are several."""

    group: NotificationThread
    words: Words
    each: list[OneShown]
    action: NotificationAction | None
    """What can be done about it in one tap."""


@pages.page(HERE, Need.BROWSER)
async def list_notifications(
    request: Request, cursor: Cursor = None, shown: Shown = ""
) -> Response[Any]:
    """What one was told, by the thing it is about, the newest first: one request.

    A thing stands where the newest about it does. What is older than the page continues with other
    things: the address says which ones were there before.
    """
    before = shown.split(".") if shown else []
    pattern = newest_notifications(user_id=request.person.user_id)
    found = await request.store.page(pattern, limit=BATCH, cursor=cursor)
    listed = grouped(one for one in found.items if is_shown(request, one))
    groups = [one for one in listed if one.mark not in before]
    with speaking(language_of(request.scope)):
        views = [_view(kinds_in(request), group) for group in groups]
    marks = [*before, *(group.mark for group in groups)][-MAX_SHOWN:]
    return render(request, TEMPLATE, groups=views, cursor=found.cursor, shown=".".join(marks))


def _view(kinds: Mapping[str, Kind], group: NotificationThread) -> GroupShown:
    members = group.notifications
    each = [OneShown(one, words_of(kinds, one)) for one in members] if len(members) > 1 else []
    return GroupShown(group, words_of_group(kinds, group), each, action_of(kinds, group))


@pages.form(f"{HERE}/read", Need.BROWSER, leads_to=HERE)
async def mark_read(ctx: Ctx, data: ReadForm) -> None:
    """Marks read what was on the page, and what is older; or what is about a thing."""
    if data.thing:
        await reading.read_thing(ctx, data.thing)
    elif data.page:
        await reading.read_page(ctx, data.page)
    else:
        await reading.read_all(ctx, until=data.until or None)


@pages.page(f"{HERE}/{{notification_id:str}}", Need.BROWSER)
async def follow(request: Request, notification_id: str) -> Response[Any]:
    """Leads to what a notification is about; everything about that is read then."""
    found = await reading.read(request.context, notification_id)
    return redirect(found.link)


pages.include(bell)


def notification_pages() -> Router:
    """Returns the pages, at their addresses."""
    return Router(
        "/",
        route_handlers=page_routes(pages, preferences.pages),
        include_in_schema=False,
        request_max_body_size=MAX_FORM,
    )
