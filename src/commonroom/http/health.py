"""Whether it runs, whether it can work, and which version it is."""

from __future__ import annotations

from msgspec import Struct

from commonroom import __version__
from commonroom.http.access import Need
from commonroom.http.readiness import KEPT_SECONDS, Readiness
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.maintenance.state import is_damage_known
from commonroom.store.errors import CorruptFile
from commonroom.store.streams.workers import NO_WORKER

RETRY_SECONDS = int(KEPT_SECONDS)


class Health(Struct, frozen=True):
    """An answer for a program that watches."""

    status: str
    detail: str = ""


class Version(Struct, frozen=True):
    """What runs here."""

    name: str
    version: str


@get("/health/live", Need.ANYONE)
async def live() -> Response[Health]:
    """It runs."""
    return Response(Health("live"))


@get("/health/ready", Need.ANYONE)
async def ready(request: Request) -> Response[Health]:
    """The store answers, has its tables, takes writes, and is not known to be damaged."""
    if is_damage_known(request.settings):
        return _not_ready(CorruptFile.title)
    readiness: Readiness = request.app.state.readiness
    if trouble := await readiness.trouble():
        return _not_ready(trouble)
    # Nearly everything can be answered meanwhile, so a load balancer had better go on asking.
    upgrading = request.store.engine.incomplete.summary
    if upgrading:
        return Response(Health("upgrading", upgrading))
    return Response(Health("ready", "" if await readiness.has_worker() else NO_WORKER))


@get("/version", Need.ANYONE)
async def version() -> Response[Version]:
    """The version."""
    return Response(Version("commonroom", __version__))


def _not_ready(detail: str) -> Response[Health]:
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return Response(Health("not ready", detail), status_code=503, headers=headers)
