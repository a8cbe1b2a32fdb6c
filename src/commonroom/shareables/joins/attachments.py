"""Pages that are attached to a plan: its people need no passcode, and see how each stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import _, lazy
from commonroom.joins.attachments import (
    AttachmentCard,
    AttachmentKind,
    Claim,
    ThingChoice,
    ThingView,
)
from commonroom.joins.plans import PlanDraft
from commonroom.shareables import words
from commonroom.shareables.joins.attachable_data import ref_of
from commonroom.shareables.pages.cookies import keep_pass
from commonroom.shareables.pages.view import fingerprint
from commonroom.shareables.request import account_of, passes_of
from commonroom.shareables.rules.access import pass_for
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service.checklists import ticks_on
from commonroom.shareables.service.gate import Page, find_page, no_such_page, readable_via_plan
from commonroom.shareables.service.listing import ATTACHED_AS, BETWEEN, attached_id, pages_of
from commonroom.shareables.tables import Checklist, Event, Tick
from commonroom.store import Store, check, equal


async def choices(request: Request) -> list[ThingChoice]:
    """One's own pages that are not closed: two requests."""
    account = account_of(request)
    if account is None:
        return []
    listed = await pages_of(request.store, request.now, account)
    return [
        ThingChoice(
            f"{one.kind}{BETWEEN}{one.short_id}",
            one.name,
            f"{_(words.KIND_NAMES[one.kind])} · {format_short_id(one.short_id)}",
        )
        for one in listed.items
        if one.role == "made" and one.kind is not None and one.name and not one.is_closed
    ]


async def claim(request: Request, typed: str) -> Claim:
    """Returns a page, if the caller made it: one request."""
    page = await find_page(request.store, typed.rpartition(BETWEEN)[2])
    account = account_of(request)
    if account is None or not readable_via_plan(request.now, page, account):
        raise no_such_page()
    return Claim(attached_id(page), [check(page, if_=equal(created_by=account))])


async def load(request: Request, things: Sequence[AttachmentCard]) -> dict[str, ThingView]:
    """Returns what the plan's people see of its pages: what any visitor does whom they let in."""
    found = await _read(request.store, [one.thing_id for one in things])
    ticks = await ticks_on(request.store, _with_shared_ticks(found))
    views = {}
    for thing in things:
        page = found.get(thing.thing_id)
        if page is not None and page.created_by == thing.attached_by:
            views[thing.thing_id] = _view(request, page, ticks.get(page.short_id))
    return views


def _view(request: Request, page: Page, ticks: Mapping[str, Tick] | None) -> ThingView:
    is_own = page.created_by == account_of(request)
    is_open = readable_via_plan(request.now, page, page.created_by)
    return ThingView(
        title=page.name,
        state=words.standing(request.now, page, ticks) if is_open else _("This page has expired."),
        address=address_of(page.short_id) if is_open or is_own else None,
        opens_here=page.view_passcode is not None and not is_own,
        version=fingerprint(request.now, page, is_admin=False, ticks=ticks),
    )


async def versions(store: Store, now: float, ids: Sequence[str]) -> dict[str, str]:
    """Returns the fingerprints of pages, as any visitor has them."""
    found = await _read(store, ids)
    ticks = await ticks_on(store, _with_shared_ticks(found))
    return {
        thing_id: fingerprint(now, page, is_admin=False, ticks=ticks.get(page.short_id))
        for thing_id, page in found.items()
    }


async def open_page(request: Request, thing: AttachmentCard) -> Response[Any]:
    """Leads to a page, with a pass that is good while the plan lets a person in: one request."""
    page = await find_page(request.store, thing.thing_id.rpartition(BETWEEN)[2])
    if page.created_by != thing.attached_by:
        raise no_such_page()
    answer = redirect(address_of(page.short_id))
    if page.view_passcode is not None and readable_via_plan(request.now, page, thing.attached_by):
        given = replace(pass_for(page, "view"), plan_id=thing.plan_id)
        keep_pass(request, answer, passes_of(request).seal(given))
    return answer


async def draft(request: Request, thing_id: str) -> PlanDraft:
    """Returns what a plan of one's own page begins with: of an event, its time and place."""
    page = await find_page(request.store, thing_id.rpartition(BETWEEN)[2])
    if not readable_via_plan(request.now, page, account_of(request)):
        raise no_such_page()
    if not isinstance(page, Event):
        return PlanDraft(title=page.name)
    return PlanDraft(
        title=page.name,
        description=page.description or "",
        place=page.location or "",
        start=page.start_time,
        end=page.end_time,
    )


async def _read(store: Store, ids: Sequence[str]) -> dict[str, Page]:
    """Pages by the ids under which they are attached: one request."""
    places = {one: place for one in ids if (place := ref_of(one)) is not None}
    pages = await store.batch_get(list(places.values())) if places else []
    return {one: page for one, page in zip(places, pages, strict=True) if page is not None}


def _with_shared_ticks(found: Mapping[str, Page]) -> list[Checklist]:
    return [one for one in found.values() if isinstance(one, Checklist) and one.ticks_shared]


SHAREABLE = AttachmentKind(
    key=ATTACHED_AS,
    name=lazy("Shareables"),
    icon="shareables",
    nothing=lazy("Checklists, events and polls that you make can be attached here."),
    choices=choices,
    claim=claim,
    load=load,
    versions=versions,
    open=open_page,
    draft=draft,
)
