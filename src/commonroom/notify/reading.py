"""What a person has not read yet, and reading it."""

from __future__ import annotations

from functools import partial

from commonroom.accounts.errors import NoSuchThing
from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notify.tables import Notification, notification_by_id, unread_notifications
from commonroom.notify.together import each
from commonroom.store import ConditionFailed, Store, absent, update

MOST_COUNTED = 20
"""A bell says “20+” rather than how many more: nobody reads that number, and counting costs."""
MOST_MARKED = 1000
LONGEST_ID = 64


async def unread(store: Store, person: User) -> int:
    """How much a person has not read: one request; one more than is counted, at most."""
    asked = unread_notifications(user_id=person.user_id)
    return len((await store.page(asked, limit=MOST_COUNTED + 1)).items)


def counted(number: int) -> str:
    """The number as a bell shows it."""
    return f"{MOST_COUNTED}+" if number > MOST_COUNTED else str(number)


async def read(store: Store, now: float, person: User, notification_id: str) -> Notification:
    """One of a person's notifications, which they have read with this."""
    # It may come from an address, and a key takes only so much.
    fits = len(notification_id) <= LONGEST_ID and notification_id.isalnum()
    asked = {"user_id": person.user_id, "notification_id": notification_id}
    found = await store.get(notification_by_id(**asked)) if fits else None
    if found is None:
        raise NoSuchThing(
            "This notification does not exist. Notifications are kept for two months."
        )
    if found.read_at is None:
        await _mark(store, now, found)
    return found


async def read_all(store: Store, now: float, person: User, until: str | None = None) -> None:
    """Marks everything read; what came after `until`, the newest that was seen, stays unread."""
    asked = unread_notifications(user_id=person.user_id)
    page = await store.page(asked, limit=MOST_MARKED)
    seen = [one for one in page.items if until is None or one.made_at <= until]
    await each(partial(_mark, store, now), seen)


async def _mark(store: Store, now: float, notification: Notification) -> None:
    try:
        await store.write(update(notification, read_at=iso(now), if_=absent("read_at")))
    except ConditionFailed:
        return  # read elsewhere at the same time, or gone
