"""What an administrator sees of what guests make: who may, how much there is, and the limits."""

from __future__ import annotations

from typing import Any

from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.settings import DESCRIBED
from commonroom.shareables.request import limits_of
from commonroom.shareables.rules.limits import MEGABYTE
from commonroom.shareables.service.guest_storage import usage

HERE = "/admin/guests"
SETTINGS = ("page_makers", "guest_pages_per_day", "guest_storage_mb", "answers_per_page")


pages = Pages()


@pages.page(HERE, Need.ADMINISTRATOR)
async def guests(request: Request) -> Response[Any]:
    """How much guests keep here, beside what they may: one request."""
    return render(
        request,
        "shareables/guests.html",
        usage=await usage(request.store),
        limits=limits_of(request),
        megabyte=MEGABYTE,
        settings=[(DESCRIBED[name], getattr(request.settings, name)) for name in SETTINGS],
    )
