"""A page as its reader sees it at its one address, and how one that is open hears of changes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Annotated, Any, Generic

import msgspec
from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, FormState, Pages
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.render import render
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.sharing import Shared, shared
from commonroom.joins.plans import plan_address
from commonroom.moments import iso
from commonroom.shareables import words
from commonroom.shareables.pages.checklists import checklist_view
from commonroom.shareables.pages.cookies import code_was_shown, fresh_code
from commonroom.shareables.pages.events import event_view
from commonroom.shareables.pages.polls import my_vote, poll_view
from commonroom.shareables.request import ONE, PageGate, account_of, open_to, visitor_of
from commonroom.shareables.rules.events import sees_counts, sees_names
from commonroom.shareables.rules.polls import is_over, sees_results
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.gate import P, Page, PageAccess, of_kind
from commonroom.shareables.service.listing import KeptAs, attached_id, kept_as
from commonroom.shareables.tables import Checklist, Event, Poll, Tick, shareable

LAST_DAY = 24 * 3600.0

Anew = Annotated[str, Meta(max_length=10)]
"""That another person at this device wants to answer too."""


pages = Pages()


class Visit(Struct, Generic[P], frozen=True, dict=True, kw_only=True):
    """A page, opened to a reader: what stands around what is on it."""

    gate: PageAccess[P]
    shared: Shared
    may_keep: bool
    """Whether they have a list to keep it in."""
    kept: KeptAs | None
    is_ending: bool
    """Whether it is its last day, so that the hour matters."""
    fingerprint: str
    """Changes when what they see does."""

    @property
    def page(self) -> P:
        """The page itself."""
        return self.gate.page

    @cached_property
    def address(self) -> str:
        """Its address."""
        return address_of(self.page.short_id)

    @property
    def short_id(self) -> str:
        """Its id, to be said and typed."""
        return format_short_id(self.page.short_id)

    @property
    def is_protected(self) -> bool:
        """Whether one needs a passcode to see it."""
        return self.page.view_passcode is not None


class PageView(Struct, frozen=True):
    """What a page shows: by which template, and with what."""

    template: str
    context: dict[str, Any]
    answered: dict[str, Any]
    """What was answered on this device, as the form of the page takes it."""


@pages.page(ONE, Need.ANYONE)
async def view(
    request: Request,
    gate: PageGate,
    cursor: Cursor = None,
    anew: Anew = "",
    form: FormState | None = None,
) -> Response[Any]:
    """A page, for those who may see it; `anew` for another person at the same device."""
    seen = await _view(request, gate, cursor)
    code = fresh_code(request) if form is None else None
    is_anew = bool(anew if form is None else form.value("anew"))
    if form is None:
        form = EMPTY if is_anew else FormState(seen.answered)
    answer = render(request, seen.template, **seen.context, form=form, code=code, anew=is_anew)
    if code is not None:
        code_was_shown(request, answer, gate.page.short_id)
    return answer


async def _view(request: Request, gate: PageAccess[Page], cursor: str | None) -> PageView:
    match gate.page:
        case Checklist() as found:
            ticks = await ticks_of(gate.store, found)
            checklist = checklist_view(request, found, ticks)
            visit = await _visit(request, gate, ticks=ticks)
            return _page_view("checklist", {}, visit=visit, checklist=checklist)
        case Event():
            event = await event_view(request, of_kind(gate, Event), cursor)
            visit = await _visit(request, gate)
            is_own = gate.page.created_by is not None and gate.page.created_by == account_of(
                request
            )
            plan = plan_address(request, "shareable", attached_id(gate.page))
            return _page_view(
                "event",
                event.answered,
                visit=visit,
                event=event,
                plan_address=plan if is_own and not gate.is_closed else None,
            )
        case Poll():
            poll = await poll_view(request, of_kind(gate, Poll))
            visit = await _visit(request, gate, has_voted=poll.mine is not None)
            return _page_view("poll", poll.answered, visit=visit, poll=poll)


def _page_view(kind: str, answered: dict[str, Any], **context: Any) -> PageView:
    return PageView(f"shareables/page_{kind}.html", {**context, "room": words}, answered)


async def _visit(
    request: Request,
    gate: PageAccess[P],
    *,
    has_voted: bool = False,
    ticks: Mapping[str, Tick] | None = None,
) -> Visit[P]:
    """Returns a visit: no request for a guest, and one for a person with a list."""
    account, page, now = account_of(request), gate.page, gate.now
    return Visit(
        gate=gate,
        shared=shared(request, address_of(page.short_id), page.name),
        may_keep=account is not None,
        kept=None if account is None else await kept_as(gate, account),
        is_ending=page.expires_at <= iso(now + LAST_DAY) and not gate.is_closed,
        fingerprint=fingerprint(
            now, page, is_admin=gate.is_admin, has_voted=has_voted, ticks=ticks
        ),
    )


@get(f"{ONE}/live", Need.ANYONE)
async def page_changes(request: Request) -> LiveUpdates:
    """Returns a page's fingerprint, now and whenever what the reader sees of it changes.

    Those who are let in hear nothing but that; the page is then opened to them anew, or not.
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

    # One look for all who see alike of it.
    topic = f"shareable#{gate.page.short_id}#{is_admin:d}{has_voted:d}"
    return LiveUpdates(topic, current, sees_the_same)


async def _sees(request: Request, gate: PageAccess[Page]) -> tuple[bool, bool]:
    """Returns what decides how much a reader sees: whether they run the page, and have voted."""
    return gate.is_admin, await _has_voted(request, gate)


async def _has_voted(request: Request, gate: PageAccess[Page]) -> bool:
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
    """Returns the fingerprint for readers who see this much of a page, and of a list its ticks.

    Of what they do not see it tells nothing, not even that it changed: how often a secret poll's
    fingerprint changes would be how many have voted.
    """
    left = _left(now, page, is_admin, has_voted)
    seen = [page.version, page.expires_at <= iso(now), *left, *([ticks] if ticks else [])]
    return blake2b(msgspec.json.encode(seen, order="sorted"), digest_size=8).hexdigest()


def _left(now: float, page: Checklist | Event | Poll, is_admin: bool, has_voted: bool) -> list[Any]:
    """Returns what people left on a page without raising its version."""
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


pages.include(page_changes)
