"""An event for somebody's calendar."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from commonroom.shareables.addresses import address_of
from commonroom.shareables.calendar import calendar_file, file_name
from commonroom.shareables.pages.asking import FILE, ONE, entered
from commonroom.shareables.service.gate import of_kind
from commonroom.shareables.tables import Event
from commonroom.web.access import Need, needs
from commonroom.web.request import Request
from commonroom.web.sharing import shared


@get(f"{ONE}{FILE}", opt=needs(Need.ANYONE))
async def event_file(request: Request, short_id: FromPath[str]) -> Response[bytes]:
    """The event as a calendar file, for whoever may see it."""
    event = of_kind(await entered(request, short_id), Event).page
    address = shared(request, address_of(event.short_id), event.name).address
    return Response(
        calendar_file(event, address),
        media_type="text/calendar",
        headers={
            "Content-Disposition": f'attachment; filename="{file_name(event)}"',
            "Cache-Control": "private, no-cache",
        },
    )


HANDLERS = [event_file]
