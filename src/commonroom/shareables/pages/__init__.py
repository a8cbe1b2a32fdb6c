"""Shareables in a browser: HTML in, HTML out; the gate says who may see a page."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router

from commonroom.shareables.errors import NeedsPasscode
from commonroom.shareables.pages import (
    administering,
    administration,
    answering,
    calendars,
    cloning,
    codes,
    editing,
    guest_storage,
    homes,
    keeping,
    live,
    locking,
    making,
    passcodes,
    ready,
    recovering,
    ticking,
    visiting,
    voting,
)
from commonroom.shareables.pages.asking import to_its_address
from commonroom.shareables.pages.carrying import hold
from commonroom.shareables.pages.unlisted import unlisted
from commonroom.shareables.write_limits import limit_writes
from commonroom.web.bodies import LARGEST
from commonroom.web.request import Request

PARTS: tuple[Any, ...] = (
    homes,
    making,
    ready,
    visiting,
    ticking,
    answering,
    voting,
    codes,
    passcodes,
    recovering,
    calendars,
    live,
    keeping,
    editing,
    administration,
    administering,
    cloning,
    locking,
    guest_storage,
)


async def before_each(request: Request) -> Response[bytes] | None:
    """What is done before any page of the room answers."""
    await hold(request)
    return await to_its_address(request)


def shareables_pages() -> Router:
    """All of them."""
    return Router(
        "/",
        route_handlers=[one for part in PARTS for one in part.HANDLERS],
        include_in_schema=False,
        request_max_body_size=LARGEST,
        guards=[limit_writes],
        before_request=before_each,  # type: ignore[arg-type] # every request is ours
        middleware=[unlisted],
        exception_handlers={NeedsPasscode: passcodes.ask},  # type: ignore[dict-item] # likewise
    )
