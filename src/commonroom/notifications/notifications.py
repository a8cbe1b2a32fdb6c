"""Notifications: one for each person who wants it, never the same twice, resolved, withdrawn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b

from commonroom.accounts.service.blocks import has_blocked
from commonroom.accounts.tables import User
from commonroom.concurrency import gather_each
from commonroom.moments import iso, seconds
from commonroom.notifications.imported import imported_at
from commonroom.notifications.kinds import Facts, Kind
from commonroom.notifications.preferences import LIST, Channels, chosen_channels
from commonroom.notifications.tables import (
    Notification,
    Resolved,
    kept_for_person,
    notification_by_id,
    page_of,
    unread_about_page,
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

KEPT_SECONDS = 60 * 24 * 3600
RESOLVED_SECONDS = 8 * 24 * 3600
"""Longer than any record of a change is kept: what was resolved before can no longer be told."""
MAX_FACT = 200
FRESH_SECONDS = 24 * 3600
MAX_LINK = 1000
BATCH = 100


async def tell(
    store: Store,
    now: float,
    people: Sequence[User],
    kind: Kind,
    *,
    facts: Facts,
    link: str,
    id: str,  # noqa: A002 - the word for it
    by: str | None,
) -> int:
    """Notifies each of these people, if they want it; returns how many are notified now.

    `by` is the person whose act it is, who knows of it; None where time or the house did it. Who
    has blocked them is notified only where nothing turns such a kind off.

    `id` says what it is about, such as a round's id: of that, nobody is notified again by this
    kind, however often and whenever this is called. How it reaches them is not up to callers.
    """
    listening = {one.user_id: one for one in people if _listens(one, kind, by)}
    short = {name: value[:MAX_FACT] for name, value in facts.items()}
    link = checked_link(link)

    async def notify(person: User) -> bool:
        notification = Notification(
            user_id=person.user_id,
            notification_id=notification_id(kind, id),
            kind=kind.name,
            facts=short,
            link=link,
            made_at=iso(now),
            listed=LIST in channels_for(person, kind),
            # A digest: names that are taken out of facts later must not stay here.
            thing=None if kind.thing is None else notification_id(kind, kind.thing % short),
            ttl=int(now) + KEPT_SECONDS,
        )
        try:
            # A person deleted in this moment leaves nothing behind: either they are gone before,
            # or the consumer that clears up after them finds this, too.
            await store.write(create(notification), check(person, if_=stored))
        except ConditionFailed:
            return False
        return True

    return sum(await gather_each(notify, list(listening.values())))


def notification_id(kind: Kind, about: str) -> str:
    """Returns an id that is equal for the same thing, and safe in keys and addresses."""
    return blake2b(f"{kind.name}\n{about}".encode(), digest_size=16).hexdigest()


def _listens(person: User, kind: Kind, by: str | None) -> bool:
    if person.user_id == by or (kind.preference is not None and has_blocked(person, by)):
        return False
    return bool(channels_for(person, kind))


def channels_for(person: User, kind: Kind) -> Channels:
    """Returns how a person is notified; what concerns a managed member goes to nobody."""
    if person.is_managed or person.disabled_at is not None:
        return frozenset()
    return chosen_channels(person, kind.preference)


def age(notification: Notification, now: float) -> float:
    """Returns how many seconds ago it happened."""
    return now - seconds(notification.made_at)


def is_fresh(notification: Notification, now: float) -> bool:
    """Whether it is still worth disturbing a person for."""
    return age(notification, now) < FRESH_SECONDS


async def is_news(store: Store, notification: Notification, now: float) -> bool:
    """Whether to carry it further: it is fresh, and was not brought along by an import."""
    if not is_fresh(notification, now):
        return False
    imported = await imported_at(store, now)
    return imported is None or seconds(notification.made_at) > imported


def checked_link(link: str) -> str:
    """Returns a path of this house: what people follow from a notification leads nowhere else."""
    here = link.startswith("/") and not link.startswith("//") and "\\" not in link
    if not here or len(link) > MAX_LINK or not (link.isascii() and link.isprintable()):
        raise ValueError(f"A notification leads to a page of this house, not to {link!r}.")
    return link


async def withdraw(store: Store, user_id: str, kind: Kind, about: str) -> None:
    """Withdraws a notification, because what it was about is gone."""
    what = notification_id(kind, about)
    await store.write(delete(Notification.at(user_id=user_id, notification_id=what)))


async def withdraw_page(store: Store, user_id: str, kind: Kind, page: str) -> None:
    """Withdraws a person's notifications of a kind about a page, because that is gone."""
    async for one in store.all(kept_for_person(user_id=user_id)):
        if isinstance(one, Notification) and (one.kind, page_of(one.link)) == (kind.name, page):
            await store.write(delete(one))


async def resolve(store: Store, now: float, people: Iterable[str], kind: Kind, about: str) -> None:
    """Resolves these people's notifications about something that no longer needs them.

    It is read, and shown no more: it may say what is no longer true.

    People not yet notified never are: what they did may be known here before what they were
    to be told. So it does not matter in which order streams are read.
    """
    key = notification_id(kind, about)
    await gather_each(partial(_resolve, store, now, key), list(dict.fromkeys(people)))


async def _resolve(store: Store, now: float, key: str, user_id: str) -> None:
    pattern = notification_by_id(user_id=user_id, notification_id=key)
    found = await store.get(pattern)
    if found is None:
        ttl = int(now) + RESOLVED_SECONDS
        never = Resolved(user_id=user_id, notification_id=key, resolved_at=iso(now), ttl=ttl)
        try:
            await store.write(create(never), check(User.at(user_id=user_id), if_=stored))
        except ConditionFailed:
            found = await store.get(pattern)  # told in this moment; or the person is gone
    if isinstance(found, Notification):
        await _settle(store, now, found)


async def _settle(store: Store, now: float, one: Notification) -> None:
    if one.settled_at is not None:
        return
    moment = iso(now)
    with suppress(ConditionFailed):  # settled elsewhere at the same time, or gone
        read_at = one.read_at or moment
        settled = update(one, read_at=read_at, settled_at=moment, if_=absent("settled_at"))
        await store.write(settled)


async def resolve_page(
    store: Store,
    now: float,
    page: str,
    kinds: Iterable[Kind] | None = None,
    *,
    about: str | None = None,
) -> None:
    """Resolves all notifications about a page where something has ended; of these kinds.

    Where several things are on the page, `about` is the one that has ended, as in the notification.

    It costs as much as is unread there. An index finds it, which may not show the latest: the
    caller calls this once more after a while. Where it is interrupted, the next time finds the
    rest.
    """
    known = None if kinds is None else {kind.name: kind for kind in kinds}

    def has_ended(one: Notification) -> bool:
        kind = None if known is None else known.get(one.kind)
        if known is not None and kind is None:
            return False
        return about is None or kind is None or one.notification_id == notification_id(kind, about)

    async for found in store.pages(unread_about_page(page=page), limit=BATCH):
        await gather_each(partial(_settle, store, now), list(filter(has_ended, found)))


async def refresh_page(store: Store, page: str, kinds: Iterable[Kind], facts: Facts) -> None:
    """Brings up to date what anybody was told about a page and has not read yet.

    Only facts that were told are changed: nobody reads what is no longer true. An index finds it,
    as in `resolve_page`.
    """
    names = {kind.name for kind in kinds}

    async def refresh(one: Notification) -> None:
        other = {
            name: value[:MAX_FACT]
            for name, value in facts.items()
            if name in one.facts and one.facts[name] != value[:MAX_FACT]
        }
        if other:
            with suppress(ConditionFailed):  # read, or gone
                await store.write(update(one, facts=merge(other), if_=absent("read_at")))

    async for found in store.pages(unread_about_page(page=page), limit=BATCH):
        await gather_each(refresh, [one for one in found if one.kind in names])


async def revise_page(
    store: Store,
    now: float,
    page: str,
    kind: Kind,
    revised: Callable[[Sequence[Notification]], Awaitable[Sequence[Facts | None]]],
) -> None:
    """Brings up to date what each person was told by a kind about a page and has not read yet.

    `revised` gives the facts for each, or None where it is no longer true of anything: that is
    settled. An index finds it, as in `resolve_page`.
    """

    async def revise(pair: tuple[Notification, Facts | None]) -> None:
        one, facts = pair
        if facts is None:
            await _settle(store, now, one)
            return
        short = {name: value[:MAX_FACT] for name, value in facts.items()}
        if short != one.facts:
            with suppress(ConditionFailed):  # read, or gone
                await store.write(update(one, facts=short, if_=absent("read_at")))

    async for found in store.pages(unread_about_page(page=page), limit=BATCH):
        ours = [one for one in found if one.kind == kind.name]
        if ours:
            await gather_each(revise, list(zip(ours, await revised(ours), strict=True)))


async def mark_read(store: Store, now: float, notification: Notification) -> None:
    """Marks one read, if it is not."""
    if notification.read_at is not None:
        return
    with suppress(ConditionFailed):  # read elsewhere at the same time, or gone
        await store.write(update(notification, read_at=iso(now), if_=absent("read_at")))


async def remove_name(store: Store, people: Iterable[str], name: str) -> None:
    """Takes the name of a person who left out of these people's notifications."""
    for user_id in people:
        async for one in store.all(kept_for_person(user_id=user_id)):
            if isinstance(one, Notification) and name in one.facts.values():
                nameless = {fact: "" for fact, value in one.facts.items() if value == name}
                with suppress(ConditionFailed):  # it has gone meanwhile
                    await store.write(update(one, facts=merge(nameless)))
