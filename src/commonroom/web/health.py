"""Whether it runs, whether it can work, and which version it is."""

from __future__ import annotations

from litestar import Response, get
from litestar.datastructures import State
from msgspec import Struct

from commonroom import __version__
from commonroom.errors import CommonroomError
from commonroom.maintenance.state import is_damage_known
from commonroom.store import Store
from commonroom.store.errors import CorruptFile
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
    """The store answers, has its tables, and is not known to be damaged."""
    store: Store = state.store
    try:
        missing = await store.engine.missing_tables(state.tables[:1])
    except CommonroomError as error:
        return _not_ready(error.title)
    if is_damage_known(state.settings):
        return _not_ready(CorruptFile.title)
    if missing:
        return _not_ready("Tables are missing")
    # Nearly everything can be answered meanwhile, so a load balancer had better go on asking.
    upgrading = store.engine.incomplete.summary
    return Response(Health("upgrading", upgrading) if upgrading else Health("ready"))


@get("/version", opt=needs(Need.ANYONE), sync_to_thread=False)
def version() -> Version:
    """The version."""
    return Version("commonroom", __version__)


def _not_ready(detail: str) -> Response[Health]:
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return Response(Health("not ready", detail), status_code=503, headers=headers)
