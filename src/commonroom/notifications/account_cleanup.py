"""Account cleanup: deletes a person's notifications with their account; and their data export."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notifications.tables import (
    DigestState,
    Notification,
    PushSubscription,
    Resolved,
    Webhook,
    kept_for_person,
)
from commonroom.store import Store, delete
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.streams import Change, Consumer

LATEST_SECONDS = 60
"""How far clocks may differ. A person may come back under the same id, and this may run late: what
was made long after they left does not belong to the one who left."""


async def delete_notifications(store: Store, change: Change) -> None:
    """Deletes what is kept to tell a person who is gone."""
    person: User | None = change.old
    if change.new is not None or person is None:
        return
    until = iso(change.at + LATEST_SECONDS)
    asked = kept_for_person(user_id=person.user_id)
    theirs = [delete(one) async for one in store.all(asked) if _moment(one) <= until]
    for start in range(0, len(theirs), REQUEST_OPERATIONS):
        await store.write(*theirs[start : start + REQUEST_OPERATIONS])


def _moment(one: Any) -> str:
    match one:
        case PushSubscription() | Webhook():
            return one.since
        case Resolved():
            return one.resolved_at
        case DigestState():
            return one.until
    made: str = one.made_at
    return made


cleanup_consumer = Consumer("notify-clears-up", (User,), delete_notifications)


async def export_notifications(store: Store, person: User) -> dict[str, Any]:
    """A person's notifications, browsers and webhooks, without what a browser is reached by."""
    items = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    notifications = [one for one in items if isinstance(one, Notification)]
    browsers = [one for one in items if isinstance(one, PushSubscription)]
    return {
        "told": [
            {"kind": one.kind, "facts": one.facts, "made_at": one.made_at, "read_at": one.read_at}
            for one in notifications
        ],
        "browsers": [{"browser": one.browser, "since": one.since} for one in browsers],
        "webhooks": [
            {"name": one.name, "address": one.address, "since": one.since}
            for one in items
            if isinstance(one, Webhook)
        ],
        "digest_until": next((one.until for one in items if isinstance(one, DigestState)), None),
    }
