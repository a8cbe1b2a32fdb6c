"""E-mail addresses: changing one's own, and confirming it with the link of an e-mail."""

from __future__ import annotations

from typing import Any

from commonroom.accounts import sensitive_acts
from commonroom.accounts.pages.sessions import SECURITY, show_security
from commonroom.accounts.service import email_addresses
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render_secret
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.outgoing.mail import MailFailed

CONFIRM = "/confirm/{secret:str}"


pages = Pages()


class AddressForm(Form):
    """Another e-mail address, with the password."""

    email: Line
    password: Line


@pages.form(
    f"{SECURITY}/address",
    Need.BROWSER,
    on=show_security,
    slot="address_form",
    also_shows=(Refusal, MailFailed),
)
async def change_address(request: Request, data: AddressForm) -> Response[Any]:
    """Another e-mail address: at once, or once it is confirmed."""
    changed = await sensitive_acts.change_address(request, data.email, data.password)
    return redirect(SECURITY, "address-waits" if changed.new_email else "address-saved")


@pages.form(
    f"{SECURITY}/address/letter",
    Need.BROWSER,
    on=show_security,
    flash="letter-sent",
    slot="confirmation_form",
    also_shows=(Refusal, MailFailed),
)
async def send_confirmation(request: Request) -> None:
    """Sends another e-mail, for a person who cannot find the first."""
    await request.mailer.ask_to_confirm(request.context)


@pages.form(f"{SECURITY}/address/keep", Need.BROWSER, leads_to=SECURITY, flash="address-kept")
async def keep_address(ctx: Ctx) -> None:
    """Wants no other address any more."""
    await email_addresses.keep_address(ctx)


@pages.page(CONFIRM, Need.BROWSER)
async def show_confirmation(request: Request, ctx: Ctx, secret: str) -> Response[Any]:
    """Asks whether it is theirs: opening a link is no answer, programs do that, too."""
    address = await email_addresses.confirmed_by(ctx, secret)
    return render_secret(request, "people/confirm.html", form=EMPTY, address=address)


@pages.form(CONFIRM, Need.BROWSER, leads_to=SECURITY, flash="address-confirmed")
async def confirm_address(request: Request, secret: str) -> None:
    """Confirms the address."""
    await sensitive_acts.confirm_address(request, secret)
