"""Calendar files as answers: limited together, made one at a time beside the event loop, kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from commonroom import __version__
from commonroom.http.calendars import MEDIA_TYPE, CalendarEntry, calendar_file
from commonroom.http.call_limits import CallLimit, count_call
from commonroom.http.etags import is_known, tag_of
from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.sharing import shared
from commonroom.rate_limits import Rate

CALENDAR_FILES = CallLimit(
    "calendar files",
    guest=Rate(burst=120, per_minute=60),
    account=Rate(burst=60, per_minute=30),
)
"""Of all kinds. Behind one address, the calendars of many people may be fetched."""
MAX_KEPT_BYTES = 8_000_000


class CalendarFiles:
    """The files that were made lately, by the tag of what is in them, within a bound of bytes."""

    def __init__(self, max_bytes: int = MAX_KEPT_BYTES) -> None:
        self._max_bytes = max_bytes
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._turn = asyncio.Lock()
        self.size = 0

    async def get(self, tag: str, make: Callable[[], bytes]) -> bytes:
        """The file of a tag; made beside the event loop where it is not kept, one at a time."""
        if tag not in self._files:
            async with self._turn:
                if tag not in self._files:
                    return self._keep(tag, await asyncio.to_thread(make))
        self._files.move_to_end(tag)
        return self._files[tag]

    def _keep(self, tag: str, content: bytes) -> bytes:
        self._files[tag] = content
        self.size += len(content)
        while self.size > self._max_bytes:
            self.size -= len(self._files.popitem(last=False)[1])
        return content


def count_calendar_file(request: Request) -> None:
    """Counts that a calendar file is asked for, whichever; refused where there were too many."""
    count_call(request, CALENDAR_FILES)


async def calendar_response(
    request: Request,
    entries: Sequence[CalendarEntry],
    *,
    name: str | None = None,
    filename: str | None = None,
) -> Response[bytes]:
    """Returns a calendar file, or only that it has not changed; with a name, programs follow it."""
    house = shared(request, "", "").address
    tag = tag_of((__version__, house, name, entries))
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if is_known(header_in(request.scope, "if-none-match"), tag):
        return Response(b"", status_code=304, media_type=MEDIA_TYPE, headers=headers)
    if filename is not None:
        headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    state = request.app.state
    files: CalendarFiles = state.setdefault("calendar_files", CalendarFiles())
    content = await files.get(tag, lambda: calendar_file(entries, house, name=name))
    return Response(content, media_type=MEDIA_TYPE, headers=headers)
