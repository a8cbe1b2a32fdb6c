"""Telling people: one notification for each who wants it, and never the same twice."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from commonroom.accounts.tables import User
from commonroom.concurrency import gather_each
from commonroom.moments import iso
from commonroom.notify.kinds import Facts, Kind
from commonroom.notify.rules import checked_link, wants
from commonroom.notify.tables import Notification
from commonroom.store import ConditionFailed, Store, check, create, stored

KEPT_SECONDS = 60 * 24 * 3600
LONGEST_FACT = 200


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

    async def told(person: User) -> bool:
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

    return sum(await gather_each(told, list(listening.values())))


def notification_id(kind: Kind, about: str) -> str:
    """The same for the same thing, and safe in keys and addresses."""
    return blake2b(f"{kind.name}\n{about}".encode(), digest_size=16).hexdigest()
