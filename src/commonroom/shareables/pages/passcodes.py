"""Passcodes: the one page that every protected page shows, and typing one."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from commonroom.errors import CommonroomError, RateLimited
from commonroom.shareables.addresses import address_of
from commonroom.shareables.entering import account_of, passes_of
from commonroom.shareables.errors import NeedsPasscode, WrongPasscode
from commonroom.shareables.pages.asking import FILE, ONE
from commonroom.shareables.pages.carrying import ANSWERING, FORMS, Typed, held, offer_again
from commonroom.shareables.pages.cookies import keep_pass, passes_in
from commonroom.shareables.service.passcodes import enter
from commonroom.web.access import Need, needs
from commonroom.web.csrf import SAFE
from commonroom.web.forms import Address, Filled, Form, Line, Sent
from commonroom.web.problems import handle_error, wants_page
from commonroom.web.redirects import redirect, safe_path
from commonroom.web.render import render_refused
from commonroom.web.request import Request

FOR_VIEWERS = (FILE, *ANSWERING)
"""What whoever may look at a page can go on to."""


class PasscodeForm(Form):
    """A passcode, and which part of the page it is for."""

    passcode: Line
    next: Address = ""
    typed: Typed = ""
    """What they had typed before they were asked."""

    def goes_on(self, short_id: str) -> str:
        """Where a right one leads: to the page, or to what they wanted of it."""
        page = address_of(short_id)
        wanted = safe_path(self.next)
        return wanted if wanted.startswith(f"{page}/") else page


def ask(request: Request, error: NeedsPasscode) -> Response[Any]:
    """The answer for a page that is shut; it looks the same whatever the page is."""
    if not wants_page(request):
        return handle_error(request, error)
    typed = held(request)
    leads_on = request.method in SAFE or typed
    form = Filled({"next": request.url.path if leads_on else "", "typed": typed})
    return _asked(request, request.path_params["short_id"], error, form)


@post(f"{ONE}/passcode", opt=needs(Need.ANYONE), status_code=200)
async def enter_passcode(
    request: Request, short_id: FromPath[str], data: Sent[PasscodeForm]
) -> Response[Any]:
    """Gives this browser a pass for a right passcode, and goes on."""
    try:
        known = await enter(
            request.store,
            passes_of(request),
            time.time(),
            short_id,
            data.passcode,
            address=request.client_address,
            tokens=passes_in(request),
            account_id=account_of(request),
        )
    except (WrongPasscode, RateLimited) as error:
        form = Filled({"next": data.next, "typed": data.typed}, {"passcode": error.detail})
        return _asked(request, short_id, error, form)
    page, wanted = address_of(known.short_id), data.goes_on(known.short_id)
    if known.role == "view" and wanted not in (page, *(page + one for one in FOR_VIEWERS)):
        answer: Response[Any] = redirect(page, "shareable-only-to-look")
    elif data.typed and wanted.endswith(FORMS):
        answer = offer_again(request, data.typed, wanted, page)
    else:
        answer = redirect(wanted)
    keep_pass(request, answer, known.token)
    return answer


def _asked(request: Request, short_id: str, error: CommonroomError, form: Filled) -> Response[Any]:
    address = address_of(short_id)
    return render_refused(request, "shareables/passcode.html", error, form=form, address=address)


HANDLERS = [enter_passcode]
