"""Giving one's password again, before something that needs that it was given lately."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post

from commonroom.accounts.service import passwords, signing_in
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, Next, caller_in, person_in, store_of
from commonroom.web.people.forms import EMPTY, ConfirmPasswordForm, Sent, refused
from commonroom.web.people.going_on import safe
from commonroom.web.people.showing import again
from commonroom.web.rendering import page, redirect

HERE = "/me/confirm-password"
TEMPLATE = "people/confirm_password.html"


@get(HERE, opt=needs(Need.BROWSER))
async def confirm_password_form(request: AnyRequest, next: Next = "") -> Response[Any]:  # noqa: A002 - the word in the address
    """Asks for the password; `next` is where to go on."""
    has_password = await passwords.has_password(store_of(request), person_in(request))
    context = {"next": safe(next), "action": "", "typed": "", "has_password": has_password}
    return page(request, TEMPLATE, form=EMPTY, **context)


@post(HERE, opt=needs(Need.BROWSER), status_code=200)
async def confirm_password(request: AnyRequest, data: Sent[ConfirmPasswordForm]) -> Response[Any]:
    """Takes it, and leads back; a form that was sent before is one press away."""
    store, person = store_of(request), person_in(request)
    try:
        session = caller_in(request).browser_session
        await signing_in.confirm_password(store, time.time(), person, session, data.password)
    except Refusal as error:
        context = {"next": safe(data.next), "action": data.action, "typed": data.typed}
        has_password = await passwords.has_password(store, person)
        form = refused(data, error)
        return again(request, TEMPLATE, error, form=form, has_password=has_password, **context)
    if not data.action:
        return redirect(safe(data.next))
    action, next_ = safe(data.action), safe(data.next)
    template = "people/password_confirmed.html"
    return page(request, template, action=action, fields=data.fields, next=next_)
