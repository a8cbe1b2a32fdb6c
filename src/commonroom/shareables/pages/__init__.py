"""Shareables in a browser: HTML in, HTML out; the gate says who may see a page."""

from __future__ import annotations

from typing import Any

from litestar import Router

from commonroom.shareables.errors import NeedsPasscode
from commonroom.shareables.pages import (
    administering,
    administration,
    answering,
    calendars,
    codes,
    editing,
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
from commonroom.shareables.pages.unlisted import unlisted
from commonroom.web.bodies import LARGEST

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
    locking,
)


def shareables_pages() -> Router:
    """All of them."""
    return Router(
        "/",
        route_handlers=[one for part in PARTS for one in part.HANDLERS],
        include_in_schema=False,
        request_max_body_size=LARGEST,
        before_request=to_its_address,
        middleware=[unlisted],
        exception_handlers={NeedsPasscode: passcodes.ask},
    )
