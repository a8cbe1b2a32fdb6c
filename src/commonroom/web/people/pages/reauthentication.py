"""Giving one's password again, before something that needs that it was given lately."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post

from commonroom.accounts.context import Context
from commonroom.accounts.service import passwords, sessions
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Sent, refused
from commonroom.web.people.forms import ConfirmPasswordForm
from commonroom.web.redirects import redirect, safe_path
from commonroom.web.render import render, render_refused
from commonroom.web.request import Next, Request

HERE = "/me/confirm-password"
TEMPLATE = "people/confirm_password.html"


@get(HERE, opt=needs(Need.BROWSER))
async def confirm_password_form(request: Request, next: Next = "") -> Response[Any]:  # noqa: A002 - the word in the address
    """Asks for the password; `next` is where to go on."""
    has_password = await passwords.has_password(request.store, request.person)
    context = {"next": safe_path(next), "action": "", "typed": "", "has_password": has_password}
    return render(request, TEMPLATE, form=EMPTY, **context)


@post(HERE, opt=needs(Need.BROWSER), status_code=200)
async def confirm_password(request: Request, data: Sent[ConfirmPasswordForm]) -> Response[Any]:
    """Takes it, and leads back; a form that was sent before is one press away."""
    store, person = request.store, request.person
    try:
        session = request.caller.browser_session
        await sessions.confirm_password(Context(store, person, time.time()), session, data.password)
    except Refusal as error:
        context = {"next": safe_path(data.next), "action": data.action, "typed": data.typed}
        has_password = await passwords.has_password(store, person)
        form = refused(data, error)
        return render_refused(
            request, TEMPLATE, error, form=form, has_password=has_password, **context
        )
    if not data.action:
        return redirect(safe_path(data.next))
    action, next_ = safe_path(data.action), safe_path(data.next)
    template = "people/password_confirmed.html"
    return render(request, template, action=action, fields=data.fields, next=next_)
