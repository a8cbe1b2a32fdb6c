"""Editing a page: nothing that was typed is lost, and nothing that others saved."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.errors import CommonroomError, Conflict, InvalidField, InvalidFields
from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render, render_refused
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.typed_times import UncertainTimes, known_zone
from commonroom.shareables.errors import DropsAnswers, EditConflict, PageClosed, TryAgain
from commonroom.shareables.pages.create import MAKING, form_context, zone_of, zone_to_edit_in
from commonroom.shareables.pages.drafts import DRAFTS, Draft, draft_of
from commonroom.shareables.pages.drafts.draft import compared, refused, sheet_in, version_in
from commonroom.shareables.pages.drafts.polls import PollDraft
from commonroom.shareables.request import LEADS_TO, ONE, PageAdmin, open_to, visitor_of
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.edit import save
from commonroom.shareables.service.gate import Page, PageAccess
from commonroom.shareables.tables import Poll, kind_of

EDIT = f"{ONE}/edit"
TRIES = 4
NOT_IN_THE_FORM = {"expires_at", "is_closed", "view_passcode", "admin_passcode"}
"""What an admin changes elsewhere: an edit takes nothing of it back."""


pages = Pages()


class Dropped(Struct, frozen=True):
    """An option with votes that is about to go."""

    question: str
    label: str
    votes: int


@pages.page(EDIT, Need.ANYONE)
async def edit_form(request: Request, gate: PageAdmin) -> Response[Any]:
    """The page in its form."""
    if gate.is_closed:
        return redirect(f"{address_of(gate.page.short_id)}/admin", "shareable-over")
    context = _context(gate, draft_of(gate.page, zone_to_edit_in(request)))
    # Where nobody knows the reader's zone, their device does.
    is_zoned = bool(zone_of(request)) or getattr(gate.page, "time_zone", None) is not None
    return render(request, MAKING, **{**context, "converts": not is_zoned})


@pages.form(EDIT, Need.ANYONE, on=edit_form, leads_to=LEADS_TO, flash="shareable-saved")
async def save_edit(request: Request, gate: PageAdmin) -> Response[Any] | None:
    """Saves the page, or does with its rows what a button in the form says."""
    draft: Draft = DRAFTS[kind_of(gate.page)].read(await sheet_in(request))
    if draft.is_rearranged:
        return render(request, MAKING, **_context(gate, draft))
    try:
        await _save(gate, draft)
    except EditConflict as error:
        gate = await open_to(request, visitor_of(request), want="admin")
        return _refused(request, gate, _beside(request, gate.page, draft), error)
    except (InvalidField, InvalidFields, UncertainTimes, Conflict, PageClosed, TryAgain) as error:
        return _refused(request, gate, refused(draft, error), error)
    return None


async def _save(gate: PageAccess[Page], draft: Draft) -> None:
    version, confirm = version_in(draft.text("version")), bool(draft.text("confirm"))
    typed = draft.typed(gate.now, gate.page)
    for _ in range(TRIES):
        try:
            # Dates in the past were asked about where the form was read.
            await save(gate, version, typed, confirm=confirm, confirm_past=True)
        except EditConflict as error:
            if not set(error.changed) <= NOT_IN_THE_FORM:
                raise
            version = error.version
        else:
            return
    raise TryAgain


def _beside(request: Request, page: Page, draft: Draft) -> Draft:
    """What was typed, beside the page as it is now: that may be later than what made it stale."""
    theirs = draft_of(page, known_zone(draft.zone) or zone_to_edit_in(request))
    return compared(draft, theirs, _changed_since(page, version_in(draft.text("version"))))


def _changed_since(page: Page, version: int) -> set[str]:
    return {name for name, at in page.changed_in.items() if at > version}


def _refused(
    request: Request, gate: PageAccess[Page], draft: Draft, error: CommonroomError
) -> Response[Any]:
    context = _context(gate, draft)
    context["is_stale"] = isinstance(error, EditConflict)
    if isinstance(error, DropsAnswers):
        context["dropped"] = _dropped(gate.page, draft)
    return render_refused(request, MAKING, error, **context)


def _context(gate: PageAccess[Page], draft: Draft) -> dict[str, Any]:
    if isinstance(draft, PollDraft) and isinstance(gate.page, Poll):
        draft.count(gate.page.tally)
    return form_context(kind_of(gate.page), draft, gate.page)


def _dropped(poll: Page, draft: Draft) -> list[Dropped]:
    if not isinstance(poll, Poll) or not isinstance(draft, PollDraft):
        return []
    left = {option.id for question in draft.questions for option in question.options}
    return [
        Dropped(question.title, option.label, votes)
        for question in poll.questions
        for option in question.options
        if option.poll_question_option_id not in left
        and (votes := poll.tally.get(option.poll_question_option_id, 0)) > 0
    ]
