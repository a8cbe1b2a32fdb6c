"""A believable small world: a family of four, and friends. Every room adds what it knows."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.demo import DemoPeople, add_people
from commonroom.house.rooms import ROOMS
from commonroom.joins.rooms import Room
from commonroom.store import Store

YEAR = 370 * 24 * 3600.0


async def seed_demo(store: Store, now: float, rooms: Sequence[Room] = ROOMS) -> DemoPeople:
    """Fills an empty installation with people, and with what they did in the last year."""
    people = await add_people(store, now - YEAR)
    for room in rooms:
        seed_room = room.load_demo()
        if seed_room is not None:
            await seed_room(store, now, people)
    if {room.key for room in ROOMS} <= {room.key for room in rooms}:
        # Loaded here: only a demonstration needs it.
        from commonroom.together.demo import seed_demo as seed_evening

        await seed_evening(store, now, people, [room.key for room in rooms])
    return people
