"""Posters of films, from this machine."""

from __future__ import annotations

from typing import cast

from litestar import Response, get
from litestar.params import FromPath

from commonroom.catalog.posters import Posters
from commonroom.errors import NotFound
from commonroom.outgoing.picture_cache import picture_type
from commonroom.web.access import Need, needs
from commonroom.web.request import Request

KEPT = "private, max-age=604800, immutable"
"""A film that gets another poster gets another name for it, too."""


@get("/posters/{name:str}", opt=needs(Need.SIGNED_IN))
async def poster(request: Request, name: FromPath[str]) -> Response[bytes]:
    """A poster; pages have drawn one already where there is none."""
    found = await cast("Posters", request.app.state.posters).poster(f"/{name}")
    if found is None:
        raise NotFound("This poster does not exist.")
    return Response(found, media_type=picture_type(found), headers={"Cache-Control": KEPT})


HANDLERS = [poster]
