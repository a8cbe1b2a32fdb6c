"""Notifications: their kinds, one for each person who wants it, never the same twice, read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.concurrency import gather_each
from commonroom.errors import NotFound
from commonroom.moments import iso, seconds
from commonroom.notify.tables import (
    Notification,
    PushSubscription,
    Webhook,
    kept_for_person,
    notification_by_id,
    unread_notifications,
)
from commonroom.store import (
    ConditionFailed,
    Store,
    absent,
    check,
    create,
    delete,
    merge,
    stored,
    update,
)
from commonroom.store.limits import OPERATIONS
from commonroom.store.streams import Change, Consumer

Facts: TypeAlias = Mapping[str, str]
"""What a notification's words are made of, such as the names of people and things."""
KEPT_SECONDS = 60 * 24 * 3600
LONGEST_FACT = 200
MOST_COUNTED = 20
"""A bell says “20+” rather than how many more: nobody reads that number, and counting costs."""
MOST_MARKED = 1000
LONGEST_ID = 64
FRESH_SECONDS = 24 * 3600
LONGEST_LINK = 1000

LATEST_SECONDS = 60
"""How far clocks may differ. Somebody may come back under the same id, and this may run late: what
was made long after they left is not theirs who left."""


class Words(Struct, frozen=True):
    """A notification as somebody reads it."""

    title: str
    text: str


class Preference(Struct, frozen=True):
    """Something that people choose to hear of or not; texts are translated when they are shown."""

    name: str
    """Under which a person's choice is stored in their `notification_prefs`."""
    label: str
    help: str


class Kind(Struct, frozen=True):
    """One kind of notification. Its words are written for whoever reads, in their language."""

    name: str
    title: Callable[[Facts], str]
    text: Callable[[Facts], str]
    preference: Preference | None = None
    """What turns it off; None where nothing does."""

    def words(self, facts: Facts) -> Words:
        """The words, in the language that is spoken now."""
        return Words(self.title(facts), self.text(facts))


async def tell(
    store: Store,
    now: float,
    people: Sequence[User],
    kind: Kind,
    *,
    facts: Facts,
    link: str,
    id: str,  # noqa: A002 - the word for it
) -> int:
    """Tells each of these people, if they want to hear of it; says how many are told now.

    `id` says what it is about, such as a round's id: of that, nobody is told again by this kind,
    however often and whenever this is called. How it reaches them is no concern of the caller.
    """
    listening = {person.user_id: person for person in people if wants(person, kind)}
    short = {name: value[:LONGEST_FACT] for name, value in facts.items()}
    link = checked_link(link)

    async def notify(person: User) -> bool:
        notification = Notification(
            user_id=person.user_id,
            notification_id=notification_id(kind, id),
            kind=kind.name,
            facts=short,
            link=link,
            made_at=iso(now),
            ttl=int(now) + KEPT_SECONDS,
        )
        try:
            # Whoever is deleted in this moment leaves nothing behind: either they are gone before,
            # or the consumer that clears up after them finds this, too.
            await store.write(create(notification), check(person, if_=stored))
        except ConditionFailed:
            return False
        return True

    return sum(await gather_each(notify, list(listening.values())))


def notification_id(kind: Kind, about: str) -> str:
    """The same for the same thing, and safe in keys and addresses."""
    return blake2b(f"{kind.name}\n{about}".encode(), digest_size=16).hexdigest()


async def list_unread(store: Store, person: User) -> Sequence[Notification]:
    """What a person has not read: one request; one more than is counted, at most."""
    pattern = unread_notifications(user_id=person.user_id)
    return (await store.page(pattern, limit=MOST_COUNTED + 1)).items


async def count_unread(store: Store, person: User) -> int:
    """How much a person has not read: one request; one more than is counted, at most."""
    return len(await list_unread(store, person))


def unread_badge(number: int) -> str:
    """The count as a bell shows it."""
    return f"{MOST_COUNTED}+" if number > MOST_COUNTED else str(number)


async def read(ctx: Context, notification_id: str) -> Notification:
    """One of a person's notifications, which they have read with this."""
    # It may come from an address, and a key takes only so much.
    fits = len(notification_id) <= LONGEST_ID and notification_id.isalnum()
    key = {"user_id": ctx.person.user_id, "notification_id": notification_id}
    found = await ctx.store.get(notification_by_id(**key)) if fits else None
    if found is None:
        raise NotFound("This notification does not exist. Notifications are kept for two months.")
    if found.read_at is None:
        await _mark(ctx, found)
    return found


async def read_all(ctx: Context, until: str | None = None) -> None:
    """Marks everything read; what came after `until`, the newest that was seen, stays unread."""
    pattern = unread_notifications(user_id=ctx.person.user_id)
    page = await ctx.store.page(pattern, limit=MOST_MARKED)
    seen = [one for one in page.items if until is None or one.made_at <= until]
    await gather_each(partial(_mark, ctx), seen)


async def _mark(ctx: Context, notification: Notification) -> None:
    try:
        await ctx.store.write(update(notification, read_at=iso(ctx.now), if_=absent("read_at")))
    except ConditionFailed:
        return  # read elsewhere at the same time, or gone


def wants(person: User, kind: Kind) -> bool:
    """Whether a person is told of such things; what concerns a managed member goes to nobody."""
    if person.is_managed or person.disabled_at is not None:
        return False
    prefs = person.notification_prefs or {}
    return kind.preference is None or prefs.get(kind.preference.name, True)


def age(notification: Notification, now: float) -> float:
    """How many seconds ago it happened."""
    return now - seconds(notification.made_at)


def is_fresh(notification: Notification, now: float) -> bool:
    """Whether it is still worth disturbing somebody for."""
    return age(notification, now) < FRESH_SECONDS


def checked_link(link: str) -> str:
    """A path of this house: what people follow from a notification leads nowhere else."""
    here = link.startswith("/") and not link.startswith("//") and "\\" not in link
    if not here or len(link) > LONGEST_LINK or not (link.isascii() and link.isprintable()):
        raise ValueError(f"A notification leads to a page of this house, not to {link!r}.")
    return link


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


async def withdraw(store: Store, user_id: str, kind: Kind, about: str) -> None:
    """Takes back what somebody was told, because what it was about is gone."""
    what = notification_id(kind, about)
    await store.write(delete(Notification.at(user_id=user_id, notification_id=what)))


async def remove_name(store: Store, people: Iterable[str], name: str) -> None:
    """Takes the name of somebody who left out of what these people were told: it was somebody."""
    for user_id in people:
        async for one in store.all(kept_for_person(user_id=user_id)):
            if isinstance(one, Notification) and name in one.facts.values():
                nameless = {fact: "" for fact, value in one.facts.items() if value == name}
                with suppress(ConditionFailed):  # it has gone meanwhile
                    await store.write(update(one, facts=merge(nameless)))


def _moment(one: Notification | PushSubscription | Webhook) -> str:
    return one.made_at if isinstance(one, Notification) else one.since


cleanup_consumer = Consumer("notify-clears-up", (User,), delete_notifications)


async def export_notifications(store: Store, person: User) -> dict[str, Any]:
    """A person's notifications, browsers and webhooks, without what a browser is reached by."""
    kept = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    browsers = [one for one in kept if isinstance(one, PushSubscription)]
    webhooks = [one for one in kept if isinstance(one, Webhook)]
    return {
        "told": [
            {"kind": one.kind, "facts": one.facts, "made_at": one.made_at, "read_at": one.read_at}
            for one in kept
            if isinstance(one, Notification)
        ],
        "browsers": [{"browser": one.browser, "since": one.since} for one in browsers],
        "webhooks": [
            {"name": one.name, "address": one.address, "since": one.since} for one in webhooks
        ],
    }
