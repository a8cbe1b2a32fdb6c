"""Whether it runs, whether it can work, and which version it is."""

from __future__ import annotations

import time

from litestar import Response, get
from litestar.datastructures import State
from msgspec import Struct

from commonroom import __version__
from commonroom.accounts.tables import DoneBefore
from commonroom.errors import CommonroomError
from commonroom.maintenance.state import is_damage_known
from commonroom.store import Store, put
from commonroom.store.errors import CorruptFile
from commonroom.store.streams.workers import NO_WORKER, has_worker
from commonroom.web.access import Need, needs

RETRY_SECONDS = 5


class Health(Struct, frozen=True):
    """An answer for a program that watches."""

    status: str
    detail: str = ""


class Version(Struct, frozen=True):
    """What runs here."""

    name: str
    version: str


@get("/health/live", opt=needs(Need.ANYONE), sync_to_thread=False)
def live() -> Health:
    """It runs."""
    return Health("live")


@get("/health/ready", opt=needs(Need.ANYONE))
async def ready(state: State) -> Response[Health]:
    """The store answers, has its tables, takes writes, and is not known to be damaged."""
    store: Store = state.store
    try:
        missing = await store.engine.missing_tables(state.tables[:1])
    except CommonroomError as error:
        return _not_ready(error.title)
    if is_damage_known(state.settings):
        return _not_ready(CorruptFile.title)
    if missing:
        return _not_ready("Tables are missing")
    if store.write_trouble is not None and not await _can_write(store):
        return _not_ready("Nothing can be written")
    # Nearly everything can be answered meanwhile, so a load balancer had better go on asking.
    upgrading = store.engine.incomplete.summary
    if upgrading:
        return Response(Health("upgrading", upgrading))
    return Response(Health("ready", "" if await has_worker(store, time.time()) else NO_WORKER))


@get("/version", opt=needs(Need.ANYONE), sync_to_thread=False)
def version() -> Version:
    """The version."""
    return Version("commonroom", __version__)


async def _can_write(store: Store) -> bool:
    """Tries a write after one has failed: whoever asks may be all that is left of the traffic."""
    probe = DoneBefore(user_id="health", request_key="ready", fingerprint="", ttl=int(time.time()))
    try:
        await store.write(put(probe))
    except CommonroomError:
        return False
    return True


def _not_ready(detail: str) -> Response[Health]:
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return Response(Health("not ready", detail), status_code=503, headers=headers)
