"""The bell's numbers as they change: how much is unread, in all and in each room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from litestar import get

from commonroom.notify import notifications
from commonroom.notify.notifications import MOST_COUNTED
from commonroom.notify.tables import Notification
from commonroom.web.access import Need, needs
from commonroom.web.live_updates import LiveUpdates
from commonroom.web.request import Request
from commonroom.web.rooms import Room, open_rooms


@get("/notifications/live", opt=needs(Need.BROWSER), sync_to_thread=False)
def bell(request: Request) -> LiveUpdates:
    """How much is unread, now and whenever that changes: one request."""
    store, person = request.store, request.person
    rooms = rooms_of_kinds(open_rooms(request))

    async def numbers() -> str:
        return unread_numbers(await notifications.list_unread(store, person), rooms)

    return LiveUpdates(f"notifications#{person.user_id}", numbers)


def unread_numbers(unread: Sequence[Notification], rooms: Mapping[str, str]) -> str:
    """All of them, and then what is of each room: `3 hangouts:2 library:1`.

    Where there are more than are counted, each room may have more as well.
    """
    more = "+" if len(unread) > MOST_COUNTED else ""
    counts = Counter(rooms[one.kind] for one in unread[:MOST_COUNTED] if one.kind in rooms)
    of_rooms = [f"{key}:{number}{more}" for key, number in sorted(counts.items())]
    return " ".join([notifications.unread_badge(len(unread)), *of_rooms])


@cache
def rooms_of_kinds(rooms: tuple[Room, ...]) -> Mapping[str, str]:
    """Which room tells of what: keys of rooms by the names of kinds."""
    return {kind.name: room.key for room in rooms for kind in room.notification_kinds}
