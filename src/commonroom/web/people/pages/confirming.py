"""Changing one's address, and confirming it with a letter."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.service import addresses
from commonroom.errors import Refusal
from commonroom.outgoing.mail import MailFailed
from commonroom.web.access import Need, needs
from commonroom.web.people import sensitive_acts
from commonroom.web.people.asking import AnyRequest, person_in, post_of, store_of
from commonroom.web.people.forms import EMPTY, AddressForm, Sent, refused
from commonroom.web.people.pages.security import HERE, TEMPLATE, security_context
from commonroom.web.people.showing import again, shown_once
from commonroom.web.rendering import redirect


@post(f"{HERE}/address", opt=needs(Need.BROWSER), status_code=200)
async def change_address(request: AnyRequest, data: Sent[AddressForm]) -> Response[Any]:
    """Another e-mail address: at once, or once it is confirmed."""
    person = person_in(request)
    try:
        changed = await sensitive_acts.change_address(request, data.email, data.password)
    except Refusal as error:
        context = await security_context(request) | {"address_form": refused(data, error)}
        return again(request, TEMPLATE, error, **context)
    except MailFailed as error:
        waiting = await store_of(request).get(person.ref)
        context = await security_context(request, person=waiting) | {"letter_error": error.detail}
        return again(request, TEMPLATE, error, **context)
    return redirect(HERE, "address-waits" if changed.new_email else "address-saved")


@post(f"{HERE}/address/letter", opt=needs(Need.BROWSER), status_code=200)
async def send_letter(request: AnyRequest) -> Response[Any]:
    """Another letter, for somebody who cannot find the first."""
    try:
        await post_of(request).ask_to_confirm(time.time(), person_in(request))
    except (Refusal, MailFailed) as error:
        context = await security_context(request) | {"letter_error": error.detail}
        return again(request, TEMPLATE, error, **context)
    return redirect(HERE, "letter-sent")


@post(f"{HERE}/address/keep", opt=needs(Need.BROWSER), status_code=200)
async def keep_address(request: AnyRequest) -> Response[Any]:
    """The new address is wanted no more."""
    await addresses.keep_address(store_of(request), person_in(request))
    return redirect(HERE, "address-kept")


@get("/confirm/{secret:str}", opt=needs(Need.BROWSER))
async def confirmation_form(request: AnyRequest, secret: FromPath[str]) -> Response[Any]:
    """Asks whether it is theirs: opening a link is no answer, programs do that, too."""
    person = person_in(request)
    address = await addresses.confirmed_by(store_of(request), person, secret)
    return shown_once(request, "people/confirm.html", form=EMPTY, address=address)


@post("/confirm/{secret:str}", opt=needs(Need.BROWSER), status_code=200)
async def confirm(request: AnyRequest, secret: FromPath[str]) -> Response[Any]:
    """Confirms the address."""
    await sensitive_acts.confirm_address(request, secret)
    return redirect(HERE, "address-confirmed")
