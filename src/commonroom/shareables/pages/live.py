"""How a page that is open hears of ticks, answers, votes and edits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import msgspec
from litestar import get

from commonroom.moments import iso
from commonroom.shareables.pages.polls import my_vote
from commonroom.shareables.request import ONE, open_to, visitor_of
from commonroom.shareables.rules.events import sees_counts, sees_names
from commonroom.shareables.rules.polls import is_over, sees_results
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.gate import Opened, Page, of_kind
from commonroom.shareables.tables import Checklist, Event, Poll, Tick, shareable
from commonroom.web.access import Need, needs
from commonroom.web.request import Request
from commonroom.web.streaming import LiveUpdates


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


def fingerprint(
    now: float,
    page: Checklist | Event | Poll,
    *,
    is_admin: bool,
    has_voted: bool = False,
    ticks: Mapping[str, Tick] | None = None,
) -> str:
    """The fingerprint for whoever sees this much of a page, and of a list the ticks on it.

    Of what they do not see it tells nothing, not even that it changed: how often a secret poll's
    fingerprint changes would be how many have voted.
    """
    left = _left(now, page, is_admin, has_voted)
    seen = [page.version, page.expires_at <= iso(now), *left, *([ticks] if ticks else [])]
    return blake2b(msgspec.json.encode(seen, order="sorted"), digest_size=8).hexdigest()


def _left(now: float, page: Checklist | Event | Poll, is_admin: bool, has_voted: bool) -> list[Any]:
    """What people left on a page without raising its version."""
    match page:
        case Checklist():
            return []  # its ticks stand apart
        case Event():
            return _answers(now, page, is_admin)
        case Poll():
            sees = sees_results(now, page, is_admin=is_admin, has_voted=has_voted)
            return [is_over(now, page), *([page.vote_count, page.tally] if sees else [])]


def _answers(now: float, event: Event, is_admin: bool) -> list[Any]:
    over = event.rsvp_deadline is not None and event.rsvp_deadline <= iso(now)
    if sees_names(event, is_admin=is_admin):
        return [over, event.rsvp_changes]
    if sees_counts(event, is_admin=is_admin):
        counts = event.going_count, event.maybe_count, event.not_going_count, event.guest_count
        return [over, *counts]
    return [over]


HANDLERS = [page_changes]
