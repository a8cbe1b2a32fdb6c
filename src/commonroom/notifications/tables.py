"""Notifications, and the devices on which people get them."""

from __future__ import annotations

from msgspec import field

from commonroom.store import Entity, Index, Keys, Table, begins_with, greater_than, many, one

notifications = Table(
    "Notifications",
    version=2,
    room="notify",
    partition="user_id",
    sort="place",
    discriminator="type",
    ttl="ttl",
    stream=True,
    indexes=[
        Index("Newest", "user_id", "made_at"),
        Index("Unread", "unread_of", "made_at"),
        Index("UnreadPage", "unread_page", "made_at"),
    ],
)


def page_of(link: str) -> str:
    """Returns the page that a link leads to, wherever on it."""
    return link.partition("#")[0]


def unread_of(user_id: str, read_at: str | None, listed: bool) -> str | None:
    """Whose list of the unread it is in."""
    return user_id if read_at is None and listed else None


def unread_page(link: str, read_at: str | None) -> str | None:
    """The page that it is about, while it is unread: what ends there ends it for everybody."""
    return page_of(link) if read_at is None else None


class Notification(Entity, table=notifications, kind="NOTIFICATION"):
    """A notification: what kind of thing it is about and its facts, not the words.

    The words are written when it is read, in the reader's language. The key is made of what it is
    about and not of the moment, so that nobody is notified twice.
    """

    user_id: str
    notification_id: str
    kind: str
    facts: dict[str, str]
    link: str
    """The page it is about, as a path."""
    made_at: str
    read_at: str | None = None
    settled_at: str | None = None
    """When it no longer needed anybody: what it says may not be true any more, and is not shown."""
    listed: bool = True
    """Whether it is in the person's list; where not, it only goes further by other channels."""
    thing: str | None = None
    """What it is grouped by; None for its page."""
    ttl: int
    delivered: dict[str, str] = field(default_factory=dict)
    """Which webhooks have taken it and when, where it is sent again because others have not."""
    keys = Keys(place="notice#{notification_id}", unread_of=unread_of, unread_page=unread_page)


class Resolved(Entity, table=notifications, kind="RESOLVED"):
    """Stands in the place of a notification that nobody needs any more, before it is made."""

    user_id: str
    notification_id: str
    resolved_at: str
    ttl: int
    keys = Keys(place="notice#{notification_id}")


class DigestState(Entity, table=notifications, kind="DIGEST"):
    """Up to when a person has had the daily e-mail."""

    user_id: str
    until: str
    """What was told up to then was in it."""
    keys = Keys(place="digest")


class PushSubscription(Entity, table=notifications, kind="PUSH"):
    """A browser that shows notifications, for as long as it stays signed in as it is."""

    user_id: str
    session: str
    """The digest of the session that it belongs to."""
    endpoint: str
    p256dh: str
    auth: str
    browser: str = ""
    since: str
    failing_since: str | None = None
    keys = Keys(place="push#{session}")


class Webhook(Entity, table=notifications, kind="WEBHOOK"):
    """An address at which a program receives a person's notifications, or the house's events."""

    user_id: str
    """Whose it is; `installation` for those of the house."""
    slot: int
    """The first that was free: so nobody has more than there are, however many are made at once."""
    webhook_id: str
    """Names it in what is sent, and its secret is made of it."""
    name: str
    address: str
    epoch: int
    """The epoch of its maker: signing out everywhere ends it, as it ends tokens."""
    since: str
    tested_at: str
    """When a test was last asked for; the first time when it was made."""
    delivered_at: str | None = None
    failing_since: str | None = None
    problem: str | None = None
    """What went wrong the last time; None where it went well."""
    disabled_at: str | None = None
    """When it was given up, because nobody had answered for a week."""
    keys = Keys(place="hook#{slot}")


notification_by_id = one(notifications, "Get a notification", gives=(Notification, Resolved))
newest_notifications = many(
    notifications,
    "List a person's notifications, the newest first",
    index="Newest",
    newest_first=True,
    gives=Notification,
)
unread_notifications = many(
    notifications,
    "List what a person has not read",
    index="Unread",
    partition="{user_id}",
    newest_first=True,
    gives=Notification,
)
notifications_since = many(
    notifications,
    "List what a person was told since a moment, the oldest first",
    index="Newest",
    sort=greater_than("{since}"),
    gives=Notification,
)
unread_about_page = many(
    notifications,
    "List what nobody has read yet about a page",
    index="UnreadPage",
    partition="{page}",
    gives=Notification,
)
push_subscriptions = many(
    notifications,
    "List the browsers that show a person's notifications",
    sort=begins_with("push#"),
    gives=PushSubscription,
)
webhooks_of = many(
    notifications,
    "List the webhooks of a person, or of the house",
    sort=begins_with("hook#"),
    gives=Webhook,
)
kept_for_person = many(
    notifications,
    "List all that is kept to tell a person",
    gives=(Notification, Resolved, DigestState, PushSubscription, Webhook),
)

tables = [notifications]
