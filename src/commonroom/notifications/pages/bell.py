"""The bell as it changes: about how many things there is something unread, and on which pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from litestar import get
from msgspec.structs import replace

from commonroom.http.access import Need, needs
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.request import Request
from commonroom.joins.rooms import Room, open_rooms
from commonroom.notifications.groups import grouped
from commonroom.notifications.reading import Unread, look_at_unread
from commonroom.notifications.tables import page_of
from commonroom.notifications.wording import is_shown


@get("/notifications/live", opt=needs(Need.BROWSER), sync_to_thread=False)
def bell(request: Request) -> LiveUpdates:
    """How much is unread and where, now and whenever that changes: one request."""
    store, person = request.store, request.person
    rooms = rooms_of_kinds(open_rooms(request))

    async def numbers() -> str:
        found = await look_at_unread(store, person)
        shown = [one for one in found.notifications if is_shown(request, one)]
        unread = replace(found, notifications=shown)
        return " ".join([unread_numbers(unread, rooms), *unread_pages(unread)])

    return LiveUpdates(f"notifications#{person.user_id}", numbers)


def unread_numbers(unread: Unread, rooms: Mapping[str, str]) -> str:
    """About how many things in all, and then in each room: `3 hangouts:2 library:1`.

    Where there is more than was looked at, each room may have more as well.
    """
    more = "" if unread.is_all else "+"
    things = [group.newest.kind for group in grouped(unread.notifications)]
    counts = Counter(rooms[one] for one in things if one in rooms)
    of_rooms = [f"{key}:{number}{more}" for key, number in sorted(counts.items())]
    return " ".join([unread.badge, *of_rooms])


def unread_pages(unread: Unread) -> Sequence[str]:
    """Returns the pages that something unread is about: one that is open is read with that."""
    return sorted({page_of(one.link) for one in unread.notifications})


@cache
def rooms_of_kinds(rooms: tuple[Room, ...]) -> Mapping[str, str]:
    """Returns which room tells of what: keys of rooms by the names of kinds."""
    return {kind.name: room.key for room in rooms for kind in room.data.notification_kinds}
