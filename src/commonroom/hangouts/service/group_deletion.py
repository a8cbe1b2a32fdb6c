"""After a group was deleted: its members, its hangouts, and its invite codes."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.members import end_membership
from commonroom.hangouts.service.pointers import deletion_writes, edit_writes
from commonroom.hangouts.tables import (
    FriendGroup,
    Hangout,
    InviteCode,
    feed,
    members,
)
from commonroom.moments import iso
from commonroom.store import Store, delete


async def clear_group(store: Store, now: float, gone: FriendGroup) -> None:
    """Clears up after a group; an interrupted run goes on with what is left.

    Members go first: a former member adds nothing any more, so what is found then is all.
    """
    group_id = gone.group_id
    if await store.get(gone.ref) is not None:
        return
    async for one in store.all(members(group_id=group_id)):
        await end_membership(store, group_id, one.user_id)
    async for pointer in store.all(feed(group_id=group_id)):
        await take_out_of_group(store, now, pointer.hangout_id, group_id)
    if gone.invite_codes:
        await store.write(*(delete(InviteCode.at(code=one)) for one in gone.invite_codes))


@retry
async def take_out_of_group(store: Store, now: float, hangout_id: str, group_id: str) -> None:
    """Takes a hangout out of a group; one that is nobody else's goes."""
    before = await store.get(Hangout.at(hangout_id=hangout_id))
    if before is None or group_id not in before.group_ids:
        return
    left = [one for one in before.group_ids if one != group_id]
    if left or any(one != before.created_by for one in before.invited_user_ids):
        after = replace(before, group_ids=left, updated_at=iso(now))
        await store.write(*edit_writes(before, after)[1])
    else:
        await store.write(*deletion_writes(before))
