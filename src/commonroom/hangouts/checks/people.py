"""Who of those on a hangout may no longer have it, and that this is still so."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts.checks.look import Look
from commonroom.hangouts.rules.access import standing_of
from commonroom.hangouts.service.departures import PersonalThing
from commonroom.hangouts.tables import Car, Group, Hangout, Membership, Rsvp
from commonroom.store import Ref, Store, Write, check, new


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
        account = _account_of(user)
        refs = [Membership.at(group_id=one, user_id=account) for one in hangout.group_ids]
        return [check(one, if_=new) for one in refs]


async def people_of(store: Store, look: Look) -> People:
    """Reads who is on a hangout, a hundred at a time."""
    hangout = look.hangout
    ids = {one.user_id for one in look.things if isinstance(one, PersonalThing | Car)}
    along = {user_id for one in look.of(Rsvp) for user_id in one.companion_ids}
    found = await store.batch_get([User.at(user_id=one) for one in sorted(ids | along)])
    users = {one.user_id: one for one in found if one is not None}
    accounts = sorted({_account_of(one) for one in users.values()})
    refs: list[Ref[Any]] = [Group.at(group_id=one) for one in hangout.group_ids]
    refs += [
        Membership.at(group_id=group, user_id=one)
        for group in hangout.group_ids
        for one in accounts
        if one not in hangout.invited_user_ids
    ]
    read = await store.batch_get(refs)
    groups = [one for one in read if isinstance(one, Group)]
    memberships: dict[str, list[Membership]] = {}
    for one in read:
        if isinstance(one, Membership):
            memberships.setdefault(one.user_id, []).append(one)
    allowed = {
        one
        for one in accounts
        if standing_of(hangout, one, memberships.get(one, ()), groups) is not None
    }
    lost = {one for one in ids if one not in users or _account_of(users[one]) not in allowed}
    return People(users, lost)


def _account_of(user: User) -> str:
    """Whose access counts: their own, or that of whoever manages them."""
    return (user.is_managed and user.parent_user_id) or user.user_id
