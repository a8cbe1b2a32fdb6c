"""Pure decisions about telling people: who is told, what is too old, which links lead somewhere."""

from __future__ import annotations

from datetime import datetime

from commonroom.accounts.tables import User
from commonroom.notify.kinds import Kind
from commonroom.notify.tables import Notification

FRESH_SECONDS = 24 * 3600
LONGEST_LINK = 1000


def wants(person: User, kind: Kind) -> bool:
    """Whether a person is told of such things; what concerns a managed member goes to nobody."""
    if person.is_managed or person.disabled_at is not None:
        return False
    prefs = person.notification_prefs or {}
    return kind.preference is None or prefs.get(kind.preference.name, True)


def age(notification: Notification, now: float) -> float:
    """How many seconds ago it happened."""
    return now - datetime.fromisoformat(notification.made_at).timestamp()


def is_fresh(notification: Notification, now: float) -> bool:
    """Whether it is still worth disturbing somebody for."""
    return age(notification, now) < FRESH_SECONDS


def checked_link(link: str) -> str:
    """A path of this house: what people follow from a notification leads nowhere else."""
    here = link.startswith("/") and not link.startswith("//") and "\\" not in link
    if not here or len(link) > LONGEST_LINK or not (link.isascii() and link.isprintable()):
        raise ValueError(f"A notification leads to a page of this house, not to {link!r}.")
    return link
