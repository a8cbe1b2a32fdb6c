"""Creating a page: one form for each kind, also for a page like another."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec.structs import replace

from commonroom.accounts.pages.profiles import zone_choices
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import From
from commonroom.http.csrf import SAFE
from commonroom.http.forms import Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import refuse, render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.typed_times import UTC_NAME, known_zone
from commonroom.http.words import _
from commonroom.shareables import words
from commonroom.shareables.pages.admin import admin
from commonroom.shareables.pages.drafts import DRAFTS, Draft, draft_of, kind_named
from commonroom.shareables.pages.drafts.draft import (
    days_chosen,
    passcodes_chosen,
    refused,
    sheet_in,
)
from commonroom.shareables.pages.passcodes import show_recovery_link
from commonroom.shareables.request import ADMIN, ONE, PageAdmin, limits_of, visitor_of
from commonroom.shareables.rules import access, checklists, events, limits, polls
from commonroom.shareables.rules.lifecycle import outdated
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.create import clone_page, create_page
from commonroom.shareables.service.gate import Page, PageAccess
from commonroom.shareables.tables import Kind, kind_of

MAKING = "shareables/making.html"
NEW = "/s/new/{kind:str}"
AGAIN = f"{ONE}/again"
DATES = ("start_time", "end_time", "rsvp_deadline", "closes_at")


pages = Pages()


async def _draft_in(request: Request) -> Draft:
    """Returns what stands in the form for a new page: nothing yet, or what was typed into it."""
    kind = DRAFTS[kind_named(request.path_params["kind"])]
    if request.method in SAFE:
        return kind.blank(zone_of(request))
    return kind.read(await sheet_in(request))


NewDraft: TypeAlias = Annotated[Draft, From(_draft_in)]


@pages.page(NEW, Need.ANYONE)
async def new_form(
    request: Request, kind: str, draft: NewDraft, error: Refusal | None = None
) -> Response[Any]:
    """A form for a page of this kind."""
    limits_of(request).check_making()
    return render(request, MAKING, **form_context(kind_named(kind), refused(draft, error)))


@pages.form(NEW, Need.ANYONE, on=new_form)
async def make_page(request: Request, kind: str, draft: NewDraft) -> Response[Any]:
    """Creates the page, or does with its rows what a button in the form says."""
    if draft.is_rearranged:
        return await new_form.show(request, kind, draft)
    created = await create_page(
        visitor_of(request),
        draft.typed(request.now),
        expires_after=days_chosen(draft.text("expires_after")),
        passcodes=passcodes_chosen(draft.values),
        confirm_past=True,  # it was asked about where the form was read
    )
    return show_recovery_link(request, created.page.short_id, created.token, "made")


@pages.form(f"{ADMIN}/clone", Need.ANYONE, on=admin)
async def clone(request: Request, gate: PageAdmin) -> Response[Any]:
    """Creates a page like this one; what is over is asked for its new date first."""
    gate.caller.limits.check_making()
    if outdated(gate.now, gate.page):
        return redirect(f"{address_of(gate.page.short_id)}/again")
    created = await clone_page(gate)
    return show_recovery_link(request, created.page.short_id, created.token, "cloned")


@pages.page(AGAIN, Need.ANYONE)
async def clone_form(request: Request, gate: PageAdmin) -> Response[Any]:
    """The page in a form for a new one: all but its dates, where they are over."""
    gate.caller.limits.check_making()
    draft = draft_of(gate.page, zone_to_edit_in(request))
    values = {**draft.values, "expires_after": str(gate.page.expires_after)}
    if outdated(gate.now, gate.page):
        values |= {name: "" for name in DATES if name in values}
    return _clone_form(request, gate, replace(draft, values=values))


@pages.form(AGAIN, Need.ANYONE, on=clone_form)
async def clone_from_form(request: Request, gate: PageAdmin) -> Response[Any]:
    """Creates the new page, or does with its rows what a button in the form says."""
    gate.caller.limits.check_making()
    draft: Draft = DRAFTS[kind_of(gate.page)].read(await sheet_in(request))
    if draft.is_rearranged:
        return _clone_form(request, gate, draft)
    try:
        created = await clone_page(
            gate,
            draft.typed(gate.now),
            expires_after=days_chosen(draft.text("expires_after")),
            confirm_past=True,  # it was asked about where the form was read
        )
    except Refusal as error:
        return refuse(_clone_form(request, gate, refused(draft, error)), error)
    return show_recovery_link(request, created.page.short_id, created.token, "cloned")


def _clone_form(request: Request, gate: PageAccess[Page], draft: Draft) -> Response[Any]:
    address = address_of(gate.page.short_id)
    context = form_context(kind_of(gate.page), draft)
    context |= {"original": gate.page, "address": address, "action": f"{address}/again"}
    return render(request, MAKING, **context)


def zone_of(request: Request) -> str:
    """Returns the caller's time zone; nothing where that is not known."""
    person = request.caller.account
    return "" if person is None else known_zone(person.time_zone)


def zone_to_edit_in(request: Request) -> str:
    """Returns the zone in which stored times are shown: one has to be named."""
    return zone_of(request) or UTC_NAME


def form_context(kind: Kind, draft: Draft, before: Page | None = None) -> dict[str, Any]:
    """Returns what the form shows; for a page that is there already, with it."""
    return {
        "kind": kind,
        "title": _(words.NEW_PAGE[kind] if before is None else words.EDIT_PAGE[kind]),
        "make_it": _(words.CREATE_PAGE[kind]),
        "form": draft,
        "one": before,
        "address": None if before is None else address_of(before.short_id),
        "action": f"/s/new/{kind}" if before is None else f"{address_of(before.short_id)}/edit",
        "original": None,
        "converts": False,
        "zones": zone_choices(draft.text("time_zone")) if kind != "checklist" else {},
        "limits": {
            "page": limits.MAX_PAGE,
            "name": limits.MAX_NAME,
            "note": checklists.MAX_NOTE,
            "items": checklists.MAX_ITEMS,
            "item": checklists.MAX_ITEM,
            "item_note": checklists.MAX_ITEM_NOTE,
            "location": events.MAX_LOCATION,
            "description": events.MAX_DESCRIPTION,
            "questions": polls.MAX_QUESTIONS,
            "title": polls.MAX_TITLE,
            "options": polls.MAX_OPTIONS,
            "option": polls.MAX_LABEL,
            "passcode": access.MAX_PASSCODE,
        },
    }
