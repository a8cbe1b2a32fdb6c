"""Changing one's address, and confirming it with a letter."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.context import Context
from commonroom.accounts.service import email_addresses
from commonroom.errors import Refusal
from commonroom.outgoing.mail import MailFailed
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Sent, refused
from commonroom.web.people import sensitive_acts
from commonroom.web.people.forms import AddressForm
from commonroom.web.people.pages.security import HERE, TEMPLATE, security_context
from commonroom.web.redirects import redirect
from commonroom.web.render import render_refused, render_secret
from commonroom.web.request import Request


@post(f"{HERE}/address", opt=needs(Need.BROWSER), status_code=200)
async def change_address(request: Request, data: Sent[AddressForm]) -> Response[Any]:
    """Another e-mail address: at once, or once it is confirmed."""
    person = request.person
    try:
        changed = await sensitive_acts.change_address(request, data.email, data.password)
    except Refusal as error:
        context = await security_context(request) | {"address_form": refused(data, error)}
        return render_refused(request, TEMPLATE, error, **context)
    except MailFailed as error:
        waiting = await request.store.get(person.ref)
        context = await security_context(request, person=waiting) | {"letter_error": error.detail}
        return render_refused(request, TEMPLATE, error, **context)
    return redirect(HERE, "address-waits" if changed.new_email else "address-saved")


@post(f"{HERE}/address/letter", opt=needs(Need.BROWSER), status_code=200)
async def send_letter(request: Request) -> Response[Any]:
    """Another letter, for somebody who cannot find the first."""
    try:
        await request.mailer.ask_to_confirm(time.time(), request.person)
    except (Refusal, MailFailed) as error:
        context = await security_context(request) | {"letter_error": error.detail}
        return render_refused(request, TEMPLATE, error, **context)
    return redirect(HERE, "letter-sent")


@post(f"{HERE}/address/keep", opt=needs(Need.BROWSER), status_code=200)
async def keep_address(request: Request) -> Response[Any]:
    """The new address is wanted no more."""
    await email_addresses.keep_address(request.context)
    return redirect(HERE, "address-kept")


@get("/confirm/{secret:str}", opt=needs(Need.BROWSER))
async def confirmation_form(request: Request, secret: FromPath[str]) -> Response[Any]:
    """Asks whether it is theirs: opening a link is no answer, programs do that, too."""
    person = request.person
    address = await email_addresses.confirmed_by(Context(request.store, person), secret)
    return render_secret(request, "people/confirm.html", form=EMPTY, address=address)


@post("/confirm/{secret:str}", opt=needs(Need.BROWSER), status_code=200)
async def confirm(request: Request, secret: FromPath[str]) -> Response[Any]:
    """Confirms the address."""
    await sensitive_acts.confirm_address(request, secret)
    return redirect(HERE, "address-confirmed")
