"""Account cleanup: what becomes of notifications when a person leaves, and their export."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notify.tables import Notification, PushSubscription, kept_for_person
from commonroom.store import ConditionFailed, Store, delete, merge, update
from commonroom.store.limits import OPERATIONS
from commonroom.store.streams import Change, Consumer

LATEST_SECONDS = 60
"""How far clocks may differ. Somebody may come back under the same id, and this may run late: what
was made long after they left is not theirs who left."""


async def delete_notifications(store: Store, change: Change) -> None:
    """Deletes what is kept to tell a person who is gone."""
    person: User | None = change.old
    if change.new is not None or person is None:
        return
    until = iso(change.at + LATEST_SECONDS)
    asked = kept_for_person(user_id=person.user_id)
    theirs = [delete(one) async for one in store.all(asked) if _moment(one) <= until]
    for start in range(0, len(theirs), OPERATIONS):
        await store.write(*theirs[start : start + OPERATIONS])


async def remove_name(store: Store, people: Iterable[str], name: str) -> None:
    """Takes the name of somebody who left out of what these people were told: it was somebody."""
    for user_id in people:
        async for one in store.all(kept_for_person(user_id=user_id)):
            if isinstance(one, Notification) and name in one.facts.values():
                nameless = {fact: "" for fact, value in one.facts.items() if value == name}
                with suppress(ConditionFailed):  # it has gone meanwhile
                    await store.write(update(one, facts=merge(nameless)))


def _moment(one: Notification | PushSubscription) -> str:
    return one.since if isinstance(one, PushSubscription) else one.made_at


cleanup_consumer = Consumer("notify-clears-up", (User,), delete_notifications)


async def export_notifications(store: Store, person: User) -> dict[str, Any]:
    """A person's notifications and browsers, without what a browser is reached by."""
    kept = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    browsers = [one for one in kept if isinstance(one, PushSubscription)]
    return {
        "told": [
            {"kind": one.kind, "facts": one.facts, "made_at": one.made_at, "read_at": one.read_at}
            for one in kept
            if not isinstance(one, PushSubscription)
        ],
        "browsers": [{"browser": one.browser, "since": one.since} for one in browsers],
    }
