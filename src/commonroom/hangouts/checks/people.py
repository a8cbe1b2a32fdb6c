"""Who of those on a hangout may no longer have it, and that this is still so."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts.checks.snapshots import HangoutSnapshot
from commonroom.hangouts.service.departures import PersonalThing
from commonroom.hangouts.service.leaving import hosts_of, still_lost, without_access
from commonroom.hangouts.tables import Car, Hangout, Rsvp
from commonroom.store import Store, Write


class HangoutPeople(Struct, frozen=True):
    """Everybody who has something on a hangout."""

    users: dict[str, User]
    """Those who have an account, or a profile that a person manages."""
    lost: Collection[str]
    """Those who may no longer have the hangout."""
    hosts: Mapping[str, str]
    """With whom those come who come along."""

    def still_lost(self, hangout: Hangout, user_id: str) -> list[Write]:
        """Whether a person still may not have it, as far as the hangout itself does not say so."""
        return still_lost(hangout, user_id, self.users.get(user_id), self.hosts)


async def people_of(store: Store, snapshot: HangoutSnapshot) -> HangoutPeople:
    """Reads who is on a hangout, a hundred at a time."""
    ids = {one.user_id for one in snapshot.things if isinstance(one, PersonalThing | Car)}
    along = {user_id for one in snapshot.of(Rsvp) for user_id in one.companion_ids}
    everybody = sorted(ids | along)
    found = await store.batch_get([User.at(user_id=one) for one in everybody])
    users = dict(zip(everybody, found, strict=True))
    hosts = hosts_of(snapshot.of(Rsvp))
    lost = await without_access(store, snapshot.hangout, {one: users[one] for one in ids}, hosts)
    return HangoutPeople(
        {one: user for one, user in users.items() if user is not None}, lost, hosts
    )
