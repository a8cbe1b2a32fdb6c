"""Passwords: changing, forgetting and confirming one's own."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import parse_qsl

from msgspec import Meta

from commonroom.accounts import sensitive_acts
from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.pages.sessions import SECURITY, redirect_signed_in, show_security
from commonroom.accounts.service import passwords, sessions
from commonroom.accounts.service.throttle import failures_logged
from commonroom.errors import Forbidden, NotFound, Refusal, Unauthorized
from commonroom.http.access import MAX_TYPED, Need
from commonroom.http.forms import EMPTY, Address, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect, safe_path
from commonroom.http.render import render, render_secret
from commonroom.http.request import Next, Request
from commonroom.http.responses import Response

RESET = "/reset/{secret:str}"
CONFIRM = "/me/confirm-password"


pages = Pages()


class PasswordForm(Form):
    """Another password, with the old one."""

    old_password: Line
    password: Line


class ForgottenForm(Form):
    """Whose password was forgotten."""

    email: Line


class NewPasswordForm(Form):
    """A new password, chosen with a link."""

    password: Line


class ConfirmPasswordForm(Form):
    """One's own password, given again, and what one wanted to do with that."""

    password: Line
    next: Address = ""
    action: Address = ""
    """Where a form was sent that could not be taken before; empty where there was none."""
    typed: Annotated[str, Meta(max_length=MAX_TYPED)] = ""
    """What that form had in its fields, as browsers send it."""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The fields one by one."""
        return parse_qsl(self.typed, keep_blank_values=True)


@pages.form(
    f"{SECURITY}/password",
    Need.BROWSER,
    on=show_security,
    slot="password_form",
    also_shows=(Refusal,),
)
async def change_password(request: Request, data: PasswordForm) -> Response[Any]:
    """Another password; this browser stays signed in, everything else does not."""
    user = await sensitive_acts.change_password(request, old=data.old_password, new=data.password)
    return await redirect_signed_in(request, user, SECURITY, "password-changed")


@pages.page("/forgot", Need.ANYONE)
async def show_forgot(request: Request, form: FormState = EMPTY) -> Response[Any]:
    """What to do about a forgotten password."""
    return render(request, "people/forgot.html", form=form, sends_mail=request.mailer.sends)


@pages.form("/forgot", Need.ANYONE, on=show_forgot, leads_to="/forgot/sent")
async def ask_for_reset(request: Request, data: ForgottenForm) -> None:
    """Has an e-mail sent to the person with this address, if there is one."""
    address = request.client_address
    await request.mailer.forgotten(request.now, email=data.email, address=address)


@pages.page("/forgot/sent", Need.ANYONE)
async def show_reset_sent(request: Request) -> Response[Any]:
    """What to do now; the same for every address."""
    return render(request, "people/forgot_sent.html")


@pages.page(RESET, Need.ANYONE)
async def show_reset(request: Request, secret: str, form: FormState = EMPTY) -> Response[Any]:
    """Shows the form to the holder of a one-time link."""
    with failures_logged("link", request.client_address, (LinkExpired,)):
        whose = await passwords.whose_reset_link(request.store, secret)
    return render_secret(request, "people/reset.html", form=form, whose=whose)


@pages.form(
    RESET,
    Need.ANYONE,
    on=show_reset,
    leads_to="/sign-in",
    flash="password-chosen",
    also_shows=(Unauthorized, Forbidden, NotFound),
)
async def choose_new_password(request: Request, secret: str, data: NewPasswordForm) -> None:
    """Sets the new password; signing in with it is the proof that it was kept."""
    with failures_logged("link", request.client_address, (LinkExpired,)):
        await passwords.whose_reset_link(request.store, secret)
    await sensitive_acts.choose_new_password(request, secret, data.password)


@pages.page(CONFIRM, Need.BROWSER)
async def show_confirm_password(
    request: Request,
    next: Next = "",  # noqa: A002 - the word in the address
    form: FormState = EMPTY,
) -> Response[Any]:
    """Asks for the password; `next` is where to go on."""
    return render(
        request,
        "people/confirm_password.html",
        form=form,
        next=safe_path(form.value("next") or next),
        action=form.value("action") or "",
        typed=form.value("typed") or "",
        has_password=await passwords.has_password(request.store, request.person),
    )


@pages.form(CONFIRM, Need.BROWSER, on=show_confirm_password, also_shows=(Refusal,))
async def confirm_password(request: Request, data: ConfirmPasswordForm) -> Response[Any]:
    """Takes it, and leads back; a form that was sent before is one press away."""
    session = request.caller.browser_session
    await sessions.confirm_password(request.context, session, data.password)
    next_ = safe_path(data.next)
    if not data.action:
        return redirect(next_)
    template, action = "people/password_confirmed.html", safe_path(data.action)
    return render(request, template, action=action, fields=data.fields, next=next_)
