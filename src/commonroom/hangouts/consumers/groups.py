"""After a group was deleted or made private: what was in it, and who may no longer have it."""

from __future__ import annotations

from commonroom.hangouts.service.group_deletion import clear_group
from commonroom.hangouts.service.leaving import remove_lost_things
from commonroom.hangouts.tables import FriendGroup, feed
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_group(store: Store, change: Change) -> None:
    """Clears up after a group that is gone, or that strangers no longer see."""
    if change.kind == "remove":
        await clear_group(store, change.at, change.old)
    elif change.kind == "modify" and change.old.is_public and not change.new.is_public:
        async for pointer in store.all(feed(group_id=change.new.group_id)):
            if pointer.visibility == "PUBLIC":
                await remove_lost_things(store, change.at, pointer.hangout_id)


GROUPS = Consumer(name="hangouts-groups", wants=(FriendGroup,), handle=follow_group)
