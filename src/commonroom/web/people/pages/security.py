"""The security page: what one signs in with, and where one is signed in."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.accounts.tables import sessions_of
from commonroom.errors import CommonroomError
from commonroom.outgoing.mail import MailFailed
from commonroom.web.access import Need
from commonroom.web.forms import EMPTY, Filled, handlers, page
from commonroom.web.people import browsers
from commonroom.web.render import render
from commonroom.web.request import Cursor, Request

SECURITY = "/me/security"


@page(SECURITY, Need.BROWSER)
async def show_security(
    request: Request,
    cursor: Cursor = None,
    *,
    address_form: Filled | None = None,
    password_form: Filled = EMPTY,
    confirmation_form: Filled = EMPTY,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """Address, password, and the browsers that are signed in."""
    person = request.person
    found = await request.store.page(sessions_of(user_id=person.user_id), cursor=cursor)
    if isinstance(error, MailFailed):
        # The new address waits all the same: another e-mail can be asked for.
        person = await request.store.get(person.ref) or person
        confirmation_form, address_form = Filled(wrong_altogether=error.detail), None
    return render(
        request,
        "people/security.html",
        person=person,
        sends_mail=request.mailer.sends,
        letter_error=confirmation_form.message,
        address_form=address_form or Filled({"email": person.email}),
        password_form=password_form,
        # Those of an earlier epoch stand for nobody, and go by themselves.
        sessions=[one for one in found.items if one.epoch == person.epoch],
        this=request.caller.session,
        browsers=browsers,
        cursor=found.cursor,
    )


HANDLERS = handlers(show_security)
