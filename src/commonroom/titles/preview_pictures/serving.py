"""Preview pictures as they are sent: drawn one at a time, kept, and counted for each caller.

A picture takes about a tenth of a second of one processor; what a link preview shows is asked for
by other sites' machines, again and again, and by anybody who likes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from hashlib import sha256
from typing import Protocol

from commonroom.errors import Overloaded
from commonroom.http.call_limits import CallLimit, count_call
from commonroom.http.etags import is_known
from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.rate_limits import Rate

KEPT = 128
"""How many pictures a process keeps: about 60 kB each."""
MAX_WAITING = 10
"""How many may wait for one to be drawn: a second or so; others come again later."""
DRAWN = CallLimit("preview-pictures", Rate(20, 20), Rate(40, 40))
"""How many new ones a caller may have drawn; those that are kept cost nothing."""
DAY, HOUR = 86_400, 3600


class PreviewPicture(Protocol):
    """What a picture shows, by which it is known again."""

    def __hash__(self) -> int:
        """Returns a hash that is equal for the same picture."""

    def draw(self) -> bytes:
        """Returns the picture as PNG; takes a while."""


class PreviewPictures:
    """The pictures that a process has drawn."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[PreviewPicture, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()
        self._waiting = 0

    async def get(self, request: Request, picture: PreviewPicture) -> bytes:
        """Returns a picture: one that is kept, or drawn now."""
        found = self._find(picture)
        if found is not None:
            return found
        count_call(request, DRAWN)
        if self._waiting >= MAX_WAITING:
            raise Overloaded
        self._waiting += 1
        try:
            async with self._drawing:
                # A caller who waited before may have wanted the same.
                return self._find(picture) or await self._draw(picture)
        finally:
            self._waiting -= 1

    def _find(self, picture: PreviewPicture) -> bytes | None:
        found = self._pictures.get(picture)
        if found is not None:
            self._pictures.move_to_end(picture)
        return found

    async def _draw(self, picture: PreviewPicture) -> bytes:
        drawn = self._pictures[picture] = await asyncio.to_thread(picture.draw)
        if len(self._pictures) > KEPT:
            self._pictures.popitem(last=False)
        return drawn


async def picture_response(
    request: Request, picture: PreviewPicture, *, kept_seconds: int
) -> Response[bytes | None]:
    """Returns a picture that others may keep for a while, or that it is what they have."""
    state = request.app.state
    pictures: PreviewPictures = state.setdefault("preview_pictures", PreviewPictures())
    content = await pictures.get(request, picture)
    tag = f'"{sha256(content).hexdigest()[:24]}"'
    headers = {
        "Cache-Control": f"public, max-age={kept_seconds}",
        "ETag": tag,
        "Vary": "Cookie, Accept-Language",  # there are words in it
    }
    if is_known(header_in(request.scope, "if-none-match"), tag):
        return Response(None, status_code=304, headers=headers)
    return Response(content, media_type="image/png", headers=headers)
