"""What people are told, and the devices that they want to be told on."""

from __future__ import annotations

from msgspec import field

from commonroom.store import Entity, Index, Keys, Table, begins_with, many, one

notifications = Table(
    "Notifications",
    version=2,
    room="notify",
    partition="user_id",
    sort="place",
    discriminator="type",
    ttl="ttl",
    stream=True,
    indexes=[Index("Newest", "user_id", "made_at"), Index("Unread", "unread_of", "made_at")],
)


def unread_of(user_id: str, read_at: str | None) -> str | None:
    """Whose list of the unread it is in."""
    return user_id if read_at is None else None


class Notification(Entity, table=notifications, kind="NOTIFICATION"):
    """Something a person is told: what kind of thing and its facts, not the words.

    The words are written when it is read, in the reader's language. The key is made of what it is
    about and not of the moment, so that nobody is told twice.
    """

    user_id: str
    notification_id: str
    kind: str
    facts: dict[str, str]
    link: str
    """The page it is about, as a path."""
    made_at: str
    read_at: str | None = None
    ttl: int
    delivered: dict[str, str] = field(default_factory=dict)
    """Which webhooks have taken it and when, where it is sent again because others have not."""
    keys = Keys(place="notice#{notification_id}", unread_of=unread_of)


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
    """An address at which a program hears what a person is told, or that something happened."""

    user_id: str
    """Whose it is; `installation` for those of the house."""
    slot: int
    """The first that was free: so nobody has more than there are, however many are made at once."""
    webhook_id: str
    """Names it in what is sent, and its secret is made of it."""
    name: str
    address: str
    epoch: int
    """That of whoever made it: signing out everywhere ends it, as it ends tokens."""
    since: str
    tested_at: str
    """When somebody last wanted to see whether it works; the first time when it was made."""
    delivered_at: str | None = None
    failing_since: str | None = None
    problem: str | None = None
    """What went wrong the last time; None where it went well."""
    disabled_at: str | None = None
    """When it was given up, because nobody had answered for a week."""
    keys = Keys(place="hook#{slot}")


notification_by_id = one(notifications, "Get a notification", gives=Notification)
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
    gives=(Notification, PushSubscription, Webhook),
)

tables = [notifications]
