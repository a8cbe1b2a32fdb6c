"""What is measured of each room: a room that opens adds one line here."""

from __future__ import annotations

from benchmarks.rooms.accounts import ACCOUNTS
from benchmarks.rooms.declare import RoomViews, View
from benchmarks.rooms.hangouts import HANGOUTS
from benchmarks.rooms.library import LIBRARY
from benchmarks.rooms.movienight import MOVIENIGHT
from benchmarks.rooms.shareables import SHAREABLES
from benchmarks.rooms.watchlists import WATCHLISTS

ROOMS: tuple[RoomViews, ...] = (
    MOVIENIGHT,
    LIBRARY,
    SHAREABLES,
    WATCHLISTS,
    HANGOUTS,
    ACCOUNTS,
)

VIEWS: dict[str, View] = {view.key: view for room in ROOMS for view in room.views}
