"""`commonroom` with a live page more: `python -m tests.support.commonroom_with_live_page serve`.

The page `/library/live` tells of changes of whoever asks. Where TESTS_STUCK names a file that is
not there, the first process that opens the library makes the file, and cannot start.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from commonroom.cli import main
from commonroom.house import rooms
from commonroom.http.access import Need
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.request import Request
from commonroom.http.routes import Router, get
from commonroom.library.room import LIBRARY
from commonroom.store import Store
from commonroom.store.errors import Unavailable


@get("/library/live", Need.SIGNED_IN)
async def live(request: Request) -> LiveUpdates:
    store: Store = request.app.state.store
    person = request.scope["state"]["caller"].person

    async def name() -> str:
        now = await store.get(person.ref)
        return now.display_name if now else ""

    return LiveUpdates(f"person#{person.user_id}", name)


def library() -> Sequence[Router]:
    stuck = os.environ.get("TESTS_STUCK")
    with suppress(FileExistsError):
        if stuck:
            Path(stuck).touch(exist_ok=False)
            raise Unavailable("The library’s door is stuck.")
    return [Router("/", [live])]


# Not only where this is the main module: the processes that are started load it by name.
rooms.ROOMS = tuple(
    replace(
        room,
        server=replace(room.load_server(), routers=library if room is LIBRARY else None),
    )
    for room in rooms.ROOMS
)

if __name__ == "__main__":
    main()
