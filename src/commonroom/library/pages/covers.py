"""Covers of items, from this machine."""

from __future__ import annotations

from typing import cast

from litestar import Response, get
from litestar.params import FromPath

from commonroom.library.pages import addresses
from commonroom.library.service.covers import BOXES, Covers, Size
from commonroom.web.access import Need, needs
from commonroom.web.request import Request

KEPT = "private, max-age=604800, immutable"
MISSING = "private, max-age=60"
"""Not asked for again with every page; perhaps it is there in a minute."""


def cover_address(request: Request, picture_url: str | None, size: Size = "small") -> str | None:
    """Where an item's picture is: `small` for a shelf, `large` for its page; None without one."""
    name = covers_in(request).name(picture_url)
    return None if name is None else f"{addresses.COVERS}/{size}/{name}"


def covers_in(request: Request) -> Covers:
    """The covers of this installation."""
    return cast("Covers", request.app.state.covers)


@get(f"{addresses.COVERS}/{{size:str}}/{{name:str}}", opt=needs(Need.SIGNED_IN))
async def cover(request: Request, size: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """A cover; pages have drawn one already where there is none."""
    found = await covers_in(request).cover(name, size) if size in BOXES else None
    if found is None:
        return Response(b"", status_code=404, headers={"Cache-Control": MISSING})
    return Response(found, media_type="image/webp", headers={"Cache-Control": KEPT})


HANDLERS = [cover]
