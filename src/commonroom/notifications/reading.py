"""Reading: what a person has not read, one with all that is about the same thing, or everything."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.concurrency import gather_each
from commonroom.errors import NotFound
from commonroom.notifications.groups import thing_of
from commonroom.notifications.notifications import mark_read
from commonroom.notifications.tables import (
    Notification,
    notification_by_id,
    page_of,
    unread_notifications,
)
from commonroom.store import Store

MAX_COUNTED = 20
"""A bell says “20+” rather than how many more: nobody reads that number, and counting costs."""
MAX_LOOKED_AT = 60
"""Of so many unread ones the bell counts the things they are about."""
MAX_MARKED = 1000
MAX_ID = 64


class Unread(Struct, frozen=True):
    """What a bell says."""

    notifications: list[Notification]
    """The newest that a person has not read."""
    is_all: bool

    @property
    def badge(self) -> str:
        """About how many things there is something new."""
        number = len({thing_of(one) for one in self.notifications})
        shown = min(number, MAX_COUNTED)
        return str(shown) if self.is_all and shown == number else f"{shown}+"


async def look_at_unread(store: Store, person: User) -> Unread:
    """Returns what a person has not read, as much of it as a bell looks at: one request."""
    page = await store.page(unread_notifications(user_id=person.user_id), limit=MAX_LOOKED_AT)
    return Unread(page.items, page.cursor is None)


async def read(ctx: Context, notification_id: str) -> Notification:
    """One of a person's notifications, which they have read with this, and all about its thing."""
    # It may come from an address, and a key takes only so much.
    fits = len(notification_id) <= MAX_ID and notification_id.isalnum()
    key = {"user_id": ctx.person.user_id, "notification_id": notification_id}
    found = await ctx.store.get(notification_by_id(**key)) if fits else None
    if not isinstance(found, Notification):
        raise NotFound("This notification does not exist. Notifications are kept for two months.")
    if found.read_at is None:
        # The others are found by an index, which need not show this one yet.
        await mark_read(ctx.store, ctx.now, found)
        await read_thing(ctx, thing_of(found))
    return found


async def read_thing(ctx: Context, thing: str, until: str | None = None) -> None:
    """Marks read everything about a thing, or what came up to a moment."""
    await read_all(ctx, until, about=lambda one: thing_of(one) == thing)


async def read_page(ctx: Context, page: str) -> None:
    """Marks read everything that leads to a page, which is open now."""
    await read_all(ctx, about=lambda one: page_of(one.link) == page)


async def read_all(
    ctx: Context, until: str | None = None, about: Callable[[Notification], bool] | None = None
) -> None:
    """Marks everything read; what came after `until`, the newest that was seen, stays unread."""
    pattern = unread_notifications(user_id=ctx.person.user_id)
    found = (await ctx.store.page(pattern, limit=MAX_MARKED)).items
    seen = [one for one in found if until is None or one.made_at <= until]
    meant = [one for one in seen if about is None or about(one)]
    await gather_each(partial(mark_read, ctx.store, ctx.now), meant)
