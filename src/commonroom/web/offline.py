"""Without a connection: the worker that keeps pages in a browser, and what it has instead."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, Router, get

from commonroom.web.access import Need, needs
from commonroom.web.assets import ASKED_AGAIN, assets, digest
from commonroom.web.render import render
from commonroom.web.request import Request
from commonroom.web.rooms import open_rooms, packages


@get("/service-worker.js", opt=needs(Need.ANYONE), sync_to_thread=False)
def service_worker(request: Request) -> Response[bytes]:
    """What works while no page is open; from here it serves the whole house."""
    rooms = open_rooms(request)
    asset = assets(packages(rooms))["service-worker.js"]
    paths = msgspec.json.encode([path for room in rooms for path in room.picture_paths])
    content = asset.content.replace(b"PICTURE_PATHS", paths, 1)
    headers = {"Cache-Control": ASKED_AGAIN, "ETag": f'"{digest(content)}"'}
    return Response(content, headers=headers, media_type=asset.type)


@get("/offline", opt=needs(Need.ANYONE), sync_to_thread=False)
def offline(request: Request) -> Response[Any]:
    """What is shown instead of a page that this browser has never seen."""
    return render(request, "offline.html")


router = Router("/", route_handlers=[service_worker, offline], include_in_schema=False)
