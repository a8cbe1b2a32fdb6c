"""Without a connection: the worker that keeps pages in a browser, and what it has instead."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router, get

from commonroom.web.access import Need, needs
from commonroom.web.assets import ASKED_AGAIN, assets
from commonroom.web.render import render
from commonroom.web.request import Request


@get("/service-worker.js", opt=needs(Need.ANYONE), sync_to_thread=False)
def service_worker() -> Response[bytes]:
    """What works while no page is open; from here it serves the whole house."""
    asset = assets()["service-worker.js"]
    headers = {"Cache-Control": ASKED_AGAIN, "ETag": f'"{asset.digest}"'}
    return Response(asset.content, headers=headers, media_type=asset.type)


@get("/offline", opt=needs(Need.ANYONE), sync_to_thread=False)
def offline(request: Request) -> Response[Any]:
    """What is shown instead of a page that this browser has never seen."""
    return render(request, "offline.html")


router = Router("/", route_handlers=[service_worker, offline], include_in_schema=False)
