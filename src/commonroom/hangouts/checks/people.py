"""Who of those on a hangout may no longer have it, and that this is still so."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts.checks.look import Look
from commonroom.hangouts.service.departures import PersonalThing
from commonroom.hangouts.service.leaving import account_of, without_access
from commonroom.hangouts.tables import Car, Hangout, Membership, Rsvp
from commonroom.store import Store, Write, check, new


class People(Struct, frozen=True):
    """Everybody who has something on a hangout."""

    users: dict[str, User]
    """Those who have an account, or a profile that somebody manages."""
    lost: Collection[str]
    """Those who may no longer have the hangout."""

    def still_lost(self, hangout: Hangout, user_id: str) -> list[Write]:
        """That somebody still may not have it, as far as the hangout itself does not say so."""
        user = self.users.get(user_id)
        if user is None:
            return [check(User.at(user_id=user_id), if_=new)]
        account = account_of(user) or user_id
        refs = [Membership.at(group_id=one, user_id=account) for one in hangout.group_ids]
        return [check(one, if_=new) for one in refs]


async def people_of(store: Store, look: Look) -> People:
    """Reads who is on a hangout, a hundred at a time."""
    ids = {one.user_id for one in look.things if isinstance(one, PersonalThing | Car)}
    along = {user_id for one in look.of(Rsvp) for user_id in one.companion_ids}
    everybody = sorted(ids | along)
    found = await store.batch_get([User.at(user_id=one) for one in everybody])
    users = dict(zip(everybody, found, strict=True))
    lost = await without_access(store, look.hangout, {one: users[one] for one in ids})
    return People({one: user for one, user in users.items() if user is not None}, lost)
