"""Remembers which rooms hold something of a person's, so that home tells them of the others."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.service.first_steps import forget_unused_room, note_used_room
from commonroom.joins.rooms import Room, RoomUse
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


def use_consumer(rooms: Sequence[Room]) -> Consumer:
    """Follows what rooms declare as a person's (`RoomUse.owners`), and asks what is left of it."""
    owners = [
        (entity, room.key, room.data.use, owner_of)
        for room in rooms
        if room.data.use is not None
        for entity, owner_of in room.data.use.owners.items()
    ]

    async def handle(store: Store, change: Change) -> None:
        """Notes which rooms hold something of a person's, and forgets one that holds nothing."""
        for entity, key, use, owner_of in owners:
            before = owner_of(change.old) if isinstance(change.old, entity) else None
            owner = owner_of(change.new) if isinstance(change.new, entity) else None
            if owner == before:
                continue
            if owner is not None:
                await note_used_room(store, owner, key)
            if before is not None:
                await _look_again(store, before, key, use)

    wants = tuple(dict.fromkeys(entity for entity, *_ in owners))
    return Consumer(name="rooms-in-use", wants=wants, handle=handle)


async def _look_again(store: Store, user_id: str, key: str, use: RoomUse) -> None:
    """Forgets a room when the last thing of a person's has gone from it: a few requests.

    Something new may be noted between a look and the write, and be forgotten with the rest. So
    there is a second look: what comes after that is noted after the write, too.
    """
    if not await use.is_used_by(store, user_id):
        await forget_unused_room(store, user_id, key)
        if not await use.is_used_by(store, user_id):
            return
    await note_used_room(store, user_id, key)
