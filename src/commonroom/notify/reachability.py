"""Whether browsers can be reached: gone ones are forgotten, failing ones after a week."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from commonroom.moments import iso
from commonroom.notify.tables import PushSubscription
from commonroom.store import ConditionFailed, Store, delete, equal, update

DAY = 24 * 3600
RETRIED_SECONDS = DAY
"""Who fails for longer is tried once with every notification, and holds nobody else up."""
FORGOTTEN_SECONDS = 7 * DAY


async def forget(store: Store, subscription: PushSubscription) -> None:
    """Forgets a browser, unless it has subscribed anew meanwhile."""
    with suppress(ConditionFailed):
        await store.write(delete(subscription, if_=equal(endpoint=subscription.endpoint)))


async def reached(store: Store, subscription: PushSubscription) -> None:
    """Notes that a browser can be reached."""
    if subscription.failing_since is not None:
        await _note(store, subscription, None)


async def not_reached(store: Store, now: float, subscription: PushSubscription) -> bool:
    """Notes that a browser could not be reached; says whether trying again soon may help."""
    if subscription.failing_since is None:
        await _note(store, subscription, iso(now))
        return True
    failing = now - datetime.fromisoformat(subscription.failing_since).timestamp()
    if failing > FORGOTTEN_SECONDS:
        await forget(store, subscription)
    return failing <= RETRIED_SECONDS


async def _note(store: Store, subscription: PushSubscription, since: str | None) -> None:
    held = equal(endpoint=subscription.endpoint)
    with suppress(ConditionFailed):
        await store.write(update(subscription, failing_since=since, if_=held))
