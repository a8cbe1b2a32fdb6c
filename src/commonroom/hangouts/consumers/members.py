"""After a person left a group, or was removed: what they had on its hangouts goes along."""

from __future__ import annotations

from commonroom.hangouts.service.leaving import leave_hangouts
from commonroom.hangouts.tables import FriendGroup, GroupMembership
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_member(store: Store, change: Change) -> None:
    """Clears up after who left; a group that is deleted is cleared up as a whole."""
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    left: GroupMembership = change.old
    if await store.get(FriendGroup.at(group_id=left.group_id)) is not None:
        await leave_hangouts(store, change.at, left.group_id, left.user_id)


MEMBERS = Consumer(name="hangouts-members", wants=(GroupMembership,), handle=follow_member)
