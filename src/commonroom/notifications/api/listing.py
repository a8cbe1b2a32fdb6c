"""Notifications for programs, and for the browsers that show them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging, paged
from commonroom.http.projections import projection
from commonroom.http.request import Request
from commonroom.moments import Moment
from commonroom.notifications import push_subscriptions, reading, tables
from commonroom.notifications.groups import thing_of
from commonroom.notifications.kinds import Words
from commonroom.notifications.push import vapid_of
from commonroom.notifications.tables import newest_notifications
from commonroom.notifications.wording import is_shown, kinds_in, words_of
from commonroom.settings import secrets_of

Until = Annotated[
    str,
    Meta(max_length=40, description="The `made_at` of the newest notification that was seen."),
]
Thing = Annotated[
    str, Meta(max_length=1000, description="Only what is about this: see the list's.")
]

api = Operations("Notifications")


class NotificationView(Struct, frozen=True):
    """Something a person was told."""

    notification_id: str
    kind: Annotated[str, Meta(description="Such as `new_round`.")]
    title: Annotated[str, Meta(description="In the caller's language.")]
    text: str
    link: Annotated[str, Meta(description="Path of the page it is about.")]
    thing: Annotated[
        str, Meta(description="What it is about: those with the same belong together.")
    ]
    made_at: Moment
    read_at: Moment | None


class Read(Struct, frozen=True, forbid_unknown_fields=True):
    """How much was read."""

    until: Until | None = None
    thing: Thing | None = None


class NewSubscription(Struct, frozen=True, forbid_unknown_fields=True):
    """Where and how a browser is sent something, as its push manager says."""

    endpoint: Annotated[str, Meta(max_length=push_subscriptions.MAX_ENDPOINT)]
    p256dh: Annotated[str, Meta(max_length=push_subscriptions.MAX_KEY)]
    auth: Annotated[str, Meta(max_length=push_subscriptions.MAX_KEY)]


class Subscription(Struct, frozen=True):
    """A browser that shows notifications."""

    browser: str
    since: Moment
    failing_since: Moment | None
    current: Annotated[bool, Meta(description="Whether it is the one making this request.")]


class PushKey(Struct, frozen=True):
    """What a browser is given when it subscribes."""

    key: Annotated[str, Meta(description="The application server key, in base64url.")]


@api.get("/notifications", Need.NOT_ACTING)
async def list_notifications(request: Request, paging: Paging) -> PagedList[NotificationView]:
    """List what one was told, the newest first."""
    kinds = kinds_in(request)

    def view(one: tables.Notification) -> NotificationView | None:
        if not is_shown(request, one):
            return None
        return _notification(one, words_of(kinds, one))

    pattern = newest_notifications(user_id=request.person.user_id)
    return await paged(request.store, pattern, paging, view)


@api.post("/notifications/read", Need.NOT_ACTING)
async def read_notifications(ctx: Ctx, read: Read) -> None:
    """Mark one's notifications read.

    All of them, those up to `until`, or those about a `thing`.
    """
    if read.thing is None:
        await reading.read_all(ctx, until=read.until)
    else:
        await reading.read_thing(ctx, read.thing, until=read.until)


@api.get("/push-key", Need.NOT_ACTING)
async def get_push_key(request: Request) -> PushKey:
    """Get the key with which a browser subscribes."""
    settings = request.settings
    return PushKey(vapid_of(settings, secrets_of(settings)).public)


@api.get("/push-subscriptions", Need.NOT_ACTING)
async def list_push_subscriptions(request: Request, paging: Paging) -> PagedList[Subscription]:
    """List the browsers that show one's notifications."""
    session = request.caller.session
    current = "" if session is None else session.digest
    pattern = tables.push_subscriptions(user_id=request.person.user_id)
    return await paged(request.store, pattern, paging, lambda one: _browser(one, current))


@api.post("/push-subscriptions", Need.BROWSER, errors=(NotFound,))
async def subscribe(request: Request, new: NewSubscription) -> Subscription:
    """Let this browser show one's notifications.

    Until it is signed out, in place of what it said before.
    """
    session = request.caller.browser_session
    made = await push_subscriptions.subscribe(
        request.context, session, endpoint=new.endpoint, p256dh=new.p256dh, auth=new.auth
    )
    return _browser(made, session.digest)


@api.delete("/push-subscriptions", Need.BROWSER)
async def unsubscribe(request: Request) -> None:
    """Let this browser show nothing any more."""
    await push_subscriptions.unsubscribe(request.context, request.caller.browser_session)


_notification = projection(
    tables.Notification,
    NotificationView,
    Words,
    title=lambda _, words: words.title,
    text=lambda _, words: words.text,
    thing=thing_of,
)
_browser = projection(
    tables.PushSubscription,
    Subscription,
    str,
    current=lambda one, session: one.session == session,
)
