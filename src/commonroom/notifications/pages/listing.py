"""The notification centre, and the bell that says how much is unread, and on which pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Address, Form, Line, Pages, page_routes
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router, get
from commonroom.http.words import language_of, speaking
from commonroom.joins.rooms import Room, open_rooms
from commonroom.notifications import reading
from commonroom.notifications.groups import NotificationThread, grouped
from commonroom.notifications.kinds import Kind, NotificationAction, Words
from commonroom.notifications.pages import preferences
from commonroom.notifications.reading import Unread, look_at_unread
from commonroom.notifications.tables import Notification, newest_notifications, page_of
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

Shown = Annotated[str, Meta(max_length=MAX_SHOWN * 7)]


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


@get("/notifications/live", Need.BROWSER)
async def bell(request: Request) -> LiveUpdates:
    """How much is unread and where, now and whenever that changes: one request."""
    store, person = request.store, request.person
    rooms = rooms_of_kinds(open_rooms(request))

    async def numbers() -> str:
        found = await look_at_unread(store, person)
        shown = [one for one in found.notifications if is_shown(request, one)]
        unread = replace(found, notifications=shown)
        return " ".join([unread_numbers(unread, rooms), *unread_pages(unread)])

    return LiveUpdates(f"notifications#{person.user_id}", numbers)


def unread_numbers(unread: Unread, rooms: Mapping[str, str]) -> str:
    """About how many things in all, and then in each room: `3 hangouts:2 library:1`.

    Where there is more than was looked at, each room may have more as well.
    """
    more = "" if unread.is_all else "+"
    things = [group.newest.kind for group in grouped(unread.notifications)]
    counts = Counter(rooms[one] for one in things if one in rooms)
    of_rooms = [f"{key}:{number}{more}" for key, number in sorted(counts.items())]
    return " ".join([unread.badge, *of_rooms])


def unread_pages(unread: Unread) -> Sequence[str]:
    """Returns the pages that something unread is about: one that is open is read with that."""
    return sorted({page_of(one.link) for one in unread.notifications})


@cache
def rooms_of_kinds(rooms: tuple[Room, ...]) -> Mapping[str, str]:
    """Returns which room tells of what: keys of rooms by the names of kinds."""
    return {kind.name: room.key for room in rooms for kind in room.data.notification_kinds}


pages.include(bell)


def notification_pages() -> Router:
    """Returns the pages, at their addresses."""
    return Router(
        "/",
        page_routes(pages, preferences.pages),
        max_body=MAX_FORM,
    )
