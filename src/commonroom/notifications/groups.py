"""Groups: what a person was told about the same thing, as one."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from msgspec import Struct

from commonroom.notifications.tables import Notification, page_of
from commonroom.sealed_tokens import to_base64url


class NotificationThread(Struct, frozen=True):
    """Everything about one thing, the newest first."""

    thing: str
    notifications: list[Notification]

    @property
    def newest(self) -> Notification:
        """The one that came last."""
        return self.notifications[0]

    @property
    def unread(self) -> list[Notification]:
        """What of it is new."""
        return [one for one in self.notifications if one.read_at is None]

    @property
    def counted(self) -> list[Notification]:
        """What a summary speaks of: what is new, or everything where nothing is."""
        return self.unread or self.notifications

    @property
    def mark(self) -> str:
        """A short mark of the thing, by which an address says that it was shown before."""
        return mark_of(self.thing)


def thing_of(notification: Notification) -> str:
    """Returns what a notification is about: what its kind says, or the page it leads to."""
    return notification.thing or page_of(notification.link)


def grouped(notifications: Iterable[Notification]) -> list[NotificationThread]:
    """Returns the groups, in the order in which each begins."""
    groups: dict[str, NotificationThread] = {}
    for one in notifications:
        thing = thing_of(one)
        groups.setdefault(thing, NotificationThread(thing, [])).notifications.append(one)
    return list(groups.values())


def mark_of(thing: str) -> str:
    """Six characters, which two things of one person's list hardly ever share."""
    return to_base64url(blake2b(thing.encode(), digest_size=4).digest())
