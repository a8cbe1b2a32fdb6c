"""The life of a page: extending and deleting it."""

from __future__ import annotations

from msgspec import Struct

from commonroom.shareables.api.bodies import ONE, Extension
from commonroom.shareables.api.view import page_view
from commonroom.shareables.request import PageAdmin
from commonroom.shareables.service import lifecycle
from commonroom.shareables.service.gate import Page
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, changed, check_match
from commonroom.web.operations import delete, part, post
from commonroom.web.people.api.views import Moment


class Extended(Struct, frozen=True):
    """Until when a page lives."""

    expires_at: Moment


@post(f"{ONE}/extend", Need.ANYONE, errors=(410, 429), status=200)
async def extend_shareable(gate: PageAdmin, extension: Extension) -> Extended:
    """Let a page live longer; an admin may, before its time is over."""
    return Extended(await lifecycle.extend(gate, extension.days))


@delete(ONE, Need.ANYONE, errors=(410, 412, 429))
async def delete_shareable(gate: PageAdmin, if_match: IfMatch) -> None:
    """Delete a page at once, with everything on it; an admin may."""
    if if_match is not None:
        check_match(if_match, await page_view(gate))
    version = gate.page.version

    def check_seen(page: Page) -> None:
        if if_match is not None and page.version != version:
            raise changed()

    await lifecycle.delete_page(gate, check_seen=check_seen)


OPERATIONS = part("Shareables: expiry", extend_shareable, delete_shareable)
