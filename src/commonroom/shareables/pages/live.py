"""How a page that is open hears of ticks, answers, votes and edits."""

from __future__ import annotations

import time

from litestar import get

from commonroom.shareables.addresses import ONE
from commonroom.shareables.pages.polls import my_vote
from commonroom.shareables.request import open_to, visitor_of
from commonroom.shareables.rules.live import fingerprint
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.gate import Opened, Page, of_kind
from commonroom.shareables.tables import Checklist, Poll, shareable
from commonroom.web.access import Need, needs
from commonroom.web.live_updates import LiveUpdates
from commonroom.web.request import Request


@get(f"{ONE}/live", opt=needs(Need.ANYONE))
async def page_changes(request: Request) -> LiveUpdates:
    """A page's fingerprint, now and whenever what somebody sees of it changes.

    Whoever is let in hears nothing but that; the page is then opened to them anew, or not.
    """
    gate = await open_to(request, visitor_of(request))
    seen = is_admin, has_voted = await _sees(request, gate)

    async def current() -> str:
        page = await gate.store.get(shareable(short_id=gate.page.short_id))
        if page is None:
            return "gone"
        ticks = await ticks_of(gate.store, page) if isinstance(page, Checklist) else None
        return fingerprint(time.time(), page, is_admin=is_admin, has_voted=has_voted, ticks=ticks)

    async def sees_the_same(request: Request) -> bool:
        return await _sees(request, await open_to(request, visitor_of(request))) == seen

    # One look for all who see the same of it.
    topic = f"shareable#{gate.page.short_id}#{is_admin:d}{has_voted:d}"
    return LiveUpdates(topic, current, sees_the_same)


async def _sees(request: Request, gate: Opened[Page]) -> tuple[bool, bool]:
    """What decides how much of a page somebody sees: whether they run it, and have voted."""
    return gate.is_admin, await _has_voted(request, gate)


async def _has_voted(request: Request, gate: Opened[Page]) -> bool:
    if not isinstance(gate.page, Poll) or gate.page.results_visibility != "afterSubmit":
        return False
    return await my_vote(request, of_kind(gate, Poll)) is not None


HANDLERS = [page_changes]
