"""Browsers that show notifications: switched on and off, gone with their session or for good."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from commonroom.accounts.context import Context
from commonroom.accounts.errors import AccountDeleted
from commonroom.accounts.tables import Session, User
from commonroom.errors import InvalidField
from commonroom.moments import iso, past
from commonroom.notifications.tables import PushSubscription, push_subscriptions
from commonroom.store import ConditionFailed, Store, check, delete, equal, put, stored, update

MAX_ENDPOINT = 1000
MAX_KEY = 200
POINT_BYTES = 65
AUTH_BYTES = 16
MAX_SUBSCRIPTIONS = 50
"""How many browsers of one person get a notification at most."""
DAY = 24 * 3600
RETRIED_SECONDS = DAY
"""Who fails for longer is tried once with every notification, and holds nobody else up."""
FORGOTTEN_SECONDS = 7 * DAY


async def subscribe(
    ctx: Context, session: Session, *, endpoint: str, p256dh: str, auth: str
) -> PushSubscription:
    """Lets the browser of a session show notifications, in place of what it said before."""
    if not is_address(endpoint):
        raise InvalidField("endpoint", "This is not the address of a push service.")
    _check_key("p256dh", p256dh, _is_point)
    _check_key("auth", auth, lambda key: len(key) == AUTH_BYTES)
    subscription = PushSubscription(
        user_id=ctx.person.user_id,
        session=session.digest,
        endpoint=endpoint,
        p256dh=p256dh,
        auth=auth,
        browser=session.browser,
        since=iso(ctx.now),
    )
    try:
        await ctx.store.write(put(subscription), check(ctx.person, if_=stored))
    except ConditionFailed:
        raise AccountDeleted from None
    return subscription


async def unsubscribe(ctx: Context, session: Session) -> None:
    """Lets it show nothing any more."""
    ref = PushSubscription.at(user_id=ctx.person.user_id, session=session.digest)
    await ctx.store.write(delete(ref))


async def active_subscriptions(store: Store, person: User) -> list[PushSubscription]:
    """Returns a person's browsers that are still signed in; the others are forgotten with this."""
    asked = push_subscriptions(user_id=person.user_id)
    found = (await store.page(asked, limit=MAX_SUBSCRIPTIONS)).items
    sessions = await store.batch_get([Session.at(digest=one.session) for one in found])
    standing = []
    for one, session in zip(found, sessions, strict=True):
        if session is None or session.epoch != person.epoch or session.user_id != person.user_id:
            await store.write(delete(one))
        else:
            standing.append(one)
    return standing


def is_address(endpoint: str) -> bool:
    """Whether something may be sent to an address that was entered, as far as one can see."""
    # Whether it is public is seen when something is sent there: a name can mean anything.
    if len(endpoint) > MAX_ENDPOINT or not endpoint.isprintable():
        return False
    try:
        address = urlsplit(endpoint)
        usual = address.port in (None, 443) and address.username is None
        return address.scheme == "https" and bool(address.hostname) and usual
    except ValueError:
        return False


def _check_key(field: str, text: str, fits: Callable[[bytes], bool]) -> None:
    try:
        key = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        key = b""
    if len(text) > MAX_KEY or not fits(key):
        raise InvalidField(field, "This is not a key that a browser makes.")


def _is_point(key: bytes) -> bool:
    """Whether a message can be locked with it: a point on the curve that Web Push uses."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    if len(key) != POINT_BYTES:
        return False
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key)
    except ValueError:
        return False
    return True


async def delete_subscription(store: Store, subscription: PushSubscription) -> None:
    """Forgets a browser, unless it has subscribed anew meanwhile."""
    with suppress(ConditionFailed):
        await store.write(delete(subscription, if_=equal(endpoint=subscription.endpoint)))


async def mark_reached(store: Store, subscription: PushSubscription) -> None:
    """Notes that a browser can be reached."""
    if subscription.failing_since is not None:
        await _note(store, subscription, None)


async def mark_unreached(store: Store, now: float, subscription: PushSubscription) -> bool:
    """Notes that a browser could not be reached; returns whether trying again soon may help."""
    since = past(subscription.failing_since, now)
    if since is None:
        await _note(store, subscription, iso(now))
        return True
    failing = now - since
    if failing > FORGOTTEN_SECONDS:
        await delete_subscription(store, subscription)
    return failing <= RETRIED_SECONDS


async def _note(store: Store, subscription: PushSubscription, since: str | None) -> None:
    held = equal(endpoint=subscription.endpoint)
    with suppress(ConditionFailed):
        await store.write(update(subscription, failing_since=since, if_=held))
