"""Remembers which rooms hold something of a person's, so that home tells them of the others."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.service.first_steps import note_used_room
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer
from commonroom.web.rooms import Room


def use_consumer(rooms: Sequence[Room]) -> Consumer:
    """Follows what rooms declare as theirs (`Room.owners`)."""
    owners = [
        (entity, room.key, owner_of) for room in rooms for entity, owner_of in room.owners.items()
    ]

    async def handle(store: Store, change: Change) -> None:
        for entity, key, owner_of in owners:
            if not isinstance(change.new, entity):
                continue
            before = None if change.old is None else owner_of(change.old)
            owner = owner_of(change.new)
            if owner is not None and owner != before:
                await note_used_room(store, owner, key)

    wants = tuple(dict.fromkeys(entity for entity, _, _ in owners))
    return Consumer(name="rooms-in-use", wants=wants, handle=handle)
