"""Visiting a page: whatever it is, it has one address."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from commonroom.shareables.addresses import address_of
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.pages.showing import show
from commonroom.web.access import Need, needs
from commonroom.web.redirects import redirect
from commonroom.web.request import Cursor, Request

Anew = Annotated[str, QueryParameter(max_length=10)]
"""That somebody else at this device wants to answer too."""

DEEDS = (
    "tick",
    "ticks/clear",
    "name",
    "answer",
    "vote",
    "withdraw",
    "code",
    "passcode",
    "keep",
    "drop",
)
"""What forms are sent to."""


@get(ONE, opt=needs(Need.ANYONE))
async def visit(
    request: Request, short_id: FromPath[str], cursor: Cursor = None, anew: Anew = ""
) -> Response[Any]:
    """A page, for whoever may see it."""
    gate = await entered(request, short_id)
    return await show(request, gate, cursor=cursor, anew=bool(anew))


@get([f"{ONE}/{deed}" for deed in DEEDS], opt=needs(Need.ANYONE))
async def back_to_page(short_id: FromPath[str]) -> Response[bytes]:
    """Where a browser lands that loads the answer to a refused form anew."""
    return redirect(address_of(short_id))


HANDLERS = [visit, back_to_page]
