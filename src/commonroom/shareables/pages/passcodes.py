"""Passcodes and the private edit link: asked for, entered, set, and shown once to the creator."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, get_args
from urllib.parse import parse_qsl

from msgspec import Meta

from commonroom.errors import BadRequest, CommonroomError, Forbidden, InvalidField, RateLimited
from commonroom.http.access import Need
from commonroom.http.csrf import SAFE
from commonroom.http.forms import EMPTY, Address, Form, FormState, Line, Pages
from commonroom.http.headers import cookie_in
from commonroom.http.problems import handle_error, wants_page
from commonroom.http.redirects import redirect, safe_path
from commonroom.http.render import refuse, render_refused, render_secret
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.sharing import shared
from commonroom.shareables.errors import NeedsPasscode, WrongPasscode
from commonroom.shareables.pages.admin import admin
from commonroom.shareables.pages.cookies import keep, keep_pass
from commonroom.shareables.pages.drafts.draft import MAX_FIELDS
from commonroom.shareables.pages.events import FILE
from commonroom.shareables.pages.view import view
from commonroom.shareables.request import ADMIN, ONE, PageAdmin, passes_of, visitor_of
from commonroom.shareables.rules.access import pass_for, role_named
from commonroom.shareables.rules.lifecycle import outlived_by
from commonroom.shareables.rules.short_ids import (
    address_of,
    format_short_id,
    read_short_id,
    recovery_address,
)
from commonroom.shareables.service.gate import (
    Page,
    PageAccess,
    ShareableVisitor,
    no_such_page,
    open_page,
)
from commonroom.shareables.service.passcodes import change_passcode, enter, renew_creator_pass

PASSCODE = f"{ADMIN}/passcodes/{{role:str}}"
ANSWERING = ("/answer", "/vote")
FORMS = ("/edit", *ANSWERING)
"""Where people type more than they would want to type twice."""
MAX_FORM = 300_000

Typed: TypeAlias = Annotated[str, Meta(max_length=MAX_FORM)]
"""What a form sent, as it sent it."""

FOR_VIEWERS = (FILE, *ANSWERING)
"""What readers of a page can go on to."""

Why: TypeAlias = Literal["made", "cloned", "renewed"]

READY = "ready"
"""The cookie that lets the link be shown: for a moment, and to this browser alone."""
SECONDS = 600
RECOVERY = f"{ONE}/recover/{{token:str}}"
TEMPLATE = "shareables/recover.html"


pages = Pages()


class PasscodeForm(Form):
    """A passcode, and which part of the page it is for."""

    passcode: Line
    next: Address = ""
    typed: Typed = ""
    """What they had typed before they were asked."""

    def goes_on(self, short_id: str) -> str:
        """Returns where a right one leads: to the page, or to what they wanted of it."""
        page = address_of(short_id)
        wanted = safe_path(self.next)
        return wanted if wanted.startswith(f"{page}/") else page


class NewPasscodeForm(Form):
    """A passcode to be."""

    passcode: Line


def ask_passcode(request: Request, error: NeedsPasscode) -> Response[Any]:
    """The answer for a page that is shut; it looks alike whatever the page is."""
    if not wants_page(request):
        return handle_error(request, error)
    typed = remembered_form(request)
    leads_on = request.method in SAFE or typed
    form = FormState({"next": request.path if leads_on else "", "typed": typed})
    return _ask(request, request.path_params["short_id"], error, form)


@pages.form(f"{ONE}/passcode", Need.ANYONE, on=view)
async def enter_passcode(request: Request, short_id: str, data: PasscodeForm) -> Response[Any]:
    """Stores a pass in this browser for a right passcode, and goes on."""
    try:
        entered = await enter(visitor_of(request), short_id, data.passcode)
    except (WrongPasscode, RateLimited) as error:
        form = FormState({"next": data.next, "typed": data.typed}, {"passcode": error.detail})
        return _ask(request, short_id, error, form)
    page, wanted = address_of(entered.short_id), data.goes_on(entered.short_id)
    if entered.role == "view" and wanted not in (page, *(page + one for one in FOR_VIEWERS)):
        answer: Response[Any] = redirect(page, "shareable-only-to-look")
    elif data.typed and wanted.endswith(FORMS):
        answer = resume_form(request, data.typed, wanted, page)
    else:
        answer = redirect(wanted)
    keep_pass(request, answer, entered.token)
    return answer


@pages.form(PASSCODE, Need.ANYONE, on=admin)
async def set_passcode(
    request: Request, gate: PageAdmin, role: str, data: NewPasscodeForm
) -> Response[Any]:
    """Sets or changes a passcode."""
    try:
        return await _change(request, gate, role, data.passcode)
    except InvalidField as error:
        # The form of each role stands on its own.
        form = FormState({"passcode": data.passcode}, {f"{role}-passcode": error.detail})
        return refuse(await admin.show(request, gate, form=form), error)


@pages.form(f"{PASSCODE}/remove", Need.ANYONE, on=admin)
async def remove_passcode(request: Request, gate: PageAdmin, role: str) -> Response[Any]:
    """Removes a passcode."""
    return await _change(request, gate, role, None)


async def remember_form(request: Request) -> None:
    """Remembers what a form sends, for the case that a passcode stands before it."""
    if request.method == "POST" and request.path.endswith(FORMS):
        sent = (await request.body()).decode("ascii", "replace")
        request.scope["state"]["typed"] = sent if len(sent) <= MAX_FORM else ""


def remembered_form(request: Request) -> str:
    """Returns what was typed, where it is worth keeping."""
    typed: str = request.scope["state"].get("typed", "")
    return typed


def resume_form(request: Request, typed: str, form: str, page: str) -> Response[Any]:
    """Offers the form once more, to be sent by the person who is let in now.

    That happens where one person changes a passcode while another fills a form in.
    """
    try:
        fields = parse_qsl(typed, keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise BadRequest("The form could not be read. Please try again.") from None
    context = {"fields": fields, "form_address": form, "address": page}
    return render_secret(request, "shareables/carried.html", **context)


def show_recovery_link(request: Request, short_id: str, token: str, why: Why) -> Response[Any]:
    """Sends a browser to where the link is shown, with the creator's pass.

    By way of another address, so that loading it anew does not create the page twice.
    """
    answer = redirect(f"{address_of(short_id)}/{READY}")
    keep_pass(request, answer, token)
    keep(request, answer, short_id, READY, why, seconds=SECONDS, below=f"/{READY}")
    return answer


@pages.page(f"{ONE}/{READY}", Need.ANYONE)
async def ready(request: Request, gate: PageAdmin) -> Response[Any]:
    """“Your page is ready”: the link to pass on, the short id, and the private edit link."""
    one, why = gate.page, cookie_in(request.scope, READY)
    address = address_of(one.short_id)
    if why not in get_args(Why) or gate.standing != "creator":
        return redirect(address)
    token = gate.passes.seal(pass_for(one, "creator"))
    context = {
        "why": why,
        "one": one,
        "short_id": format_short_id(one.short_id),
        "address": address,
        "link": shared(request, address, one.name),
        "recovery": shared(
            request, recovery_address(one.short_id, token), one.name, is_shown_once=True
        ),
        "outlived_by": outlived_by(one),
    }
    return render_secret(request, "shareables/ready.html", **context)


@pages.page(RECOVERY, Need.ANYONE)
async def offer_recovery(request: Request, short_id: str, token: str) -> Response[Any]:
    """A button, and nothing else: whatever previews a link must not use it."""
    read = read_short_id(short_id)
    if read is None:
        raise no_such_page()
    context = {"short_id": format_short_id(short_id), "address": recovery_address(read, token)}
    return render_secret(request, TEMPLATE, **context, form=EMPTY)


@pages.form(RECOVERY, Need.ANYONE)
async def recover(request: Request, short_id: str, token: str) -> Response[Any]:
    """Keeps the pass of the link in this browser, where it is still good."""
    visitor = ShareableVisitor(request.store, passes_of(request), request.now, tokens=(token,))
    try:
        gate = await open_page(visitor, short_id, want="admin")
    except Forbidden:
        error = Forbidden(
            "This link no longer works. It may be incomplete, or a newer one was created."
        )
        context = {"short_id": format_short_id(short_id), "address": None}
        ended = FormState(form_error=error.detail)
        return render_refused(request, TEMPLATE, error, **context, form=ended)
    answer = redirect(address_of(gate.page.short_id), "shareable-back")
    keep_pass(request, answer, token)
    return answer


@pages.form(f"{ADMIN}/link", Need.ANYONE, on=admin)
async def renew_link(request: Request, gate: PageAdmin) -> Response[Any]:
    """Issues the private edit link anew, and shows it."""
    token = await renew_creator_pass(gate)
    return show_recovery_link(request, gate.page.short_id, token, "renewed")


async def _change(
    request: Request, gate: PageAccess[Page], role: str, typed: str | None
) -> Response[Any]:
    token = await change_passcode(gate, role_named(role), typed=typed)
    what = "removed" if typed is None else "set"
    settings = f"{address_of(gate.page.short_id)}/admin"
    answer = redirect(settings, f"shareable-passcode-{what}")
    keep_pass(request, answer, token)
    return answer


def _ask(request: Request, short_id: str, error: CommonroomError, form: FormState) -> Response[Any]:
    address = address_of(short_id)
    return render_refused(request, "shareables/passcode.html", error, form=form, address=address)
