"""Signing up, where the installation lets people in, and its first account."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from commonroom.accounts import signup
from commonroom.accounts.errors import AlreadySetUp, LinkExpired, SignUpClosed
from commonroom.accounts.pages.sessions import redirect_signed_in
from commonroom.accounts.rules import time_zone_of_device
from commonroom.accounts.service.administration import check_invitation
from commonroom.accounts.service.signup import NewAccount, check_mode, is_set_up, requested_with
from commonroom.accounts.service.throttle import INVITATION_FROM_ADDRESS, guessing
from commonroom.accounts.signup import find_signup_invite
from commonroom.errors import CommonroomError, Refusal
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Address, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect, safe_path
from commonroom.http.render import render, render_secret
from commonroom.http.request import Next, Request
from commonroom.http.responses import Response

FINISH = "/sign-up/finish/{secret:str}"
SetUpCode = Annotated[str, Meta(max_length=100)]
Invitation = Annotated[str, Meta(max_length=200)]


pages = Pages()


class AccountForm(Form):
    """A person who is to have an account."""

    email: Line
    display_name: Line
    password: Line
    time_zone: Line = ""
    """Filled in by a script, and empty without."""

    @property
    def account(self) -> NewAccount:
        """As the service takes it; a zone that nobody typed is never refused."""
        zone = time_zone_of_device(self.time_zone)
        return NewAccount(self.email, self.display_name, self.password, zone)


class SetUpForm(AccountForm):
    """The first administrator, with the code that shows that the installation is theirs."""

    code: Line = ""


class SignUpForm(AccountForm):
    """A new person, perhaps with an invitation."""

    invitation: Line = ""
    next: Address = ""


@pages.page("/setup", Need.ANYONE)
async def show_set_up(
    request: Request, code: SetUpCode = "", form: FormState | None = None
) -> Response[Any]:
    """The form for the first administrator, while there is none."""
    if form is None and await is_set_up(request.store):
        return redirect("/")
    return render_secret(
        request,
        "people/set_up.html",
        form=form or FormState({"code": code}),
        sends_mail=request.mailer.sends,
        asks_for_code=signup.asks_for_code(request),
    )


@pages.form("/setup", Need.ANYONE, on=show_set_up, also_shows=(Refusal,))
async def set_up(request: Request, data: SetUpForm) -> Response[Any]:
    """Makes the first administrator, and signs them in."""
    try:
        user = await signup.set_up(request, data.account, data.code)
    except AlreadySetUp:
        return redirect("/sign-in")
    return await redirect_signed_in(request, user, "/", "welcome")


@pages.page("/sign-up", Need.ANYONE)
async def show_sign_up(
    request: Request,
    invitation: Invitation = "",
    next: Next = "",  # noqa: A002 - the word in the address
    form: FormState | None = None,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """The form to sign up, or why there is none."""
    if form is not None:
        refusal = error if isinstance(error, LinkExpired | SignUpClosed) else None
        return render(request, "people/sign_up.html", form=form, refusal=refusal)
    if request.caller.account is not None:
        return redirect(safe_path(next))
    if not await is_set_up(request.store):
        return redirect("/setup")
    why_not = await _why_not(request, invitation)
    filled = FormState({"invitation": invitation, "next": next})
    response = render(request, "people/sign_up.html", form=filled, refusal=why_not)
    response.status_code = 200 if why_not is None else why_not.status
    return response


@pages.form("/sign-up", Need.ANYONE, on=show_sign_up, also_shows=(Refusal,))
async def sign_up(request: Request, data: SignUpForm) -> Response[Any]:
    """Makes an account, and signs its person in."""
    user = await signup.sign_up(request, data.account, link=data.invitation, next=data.next)
    if user is None:
        return redirect("/sign-up/sent")
    return await redirect_signed_in(request, user, safe_path(data.next), "welcome")


@pages.page("/sign-up/sent", Need.ANYONE)
async def show_sign_up_sent(request: Request) -> Response[Any]:
    """What to do now; the same for every address."""
    return render(request, "people/sign_up_sent.html")


@pages.page(FINISH, Need.ANYONE)
async def show_finish(request: Request, secret: str, form: FormState = EMPTY) -> Response[Any]:
    """Asks whether it is them: opening a link is no answer, programs do that, too."""
    wanted = await requested_with(request.store, secret)
    # It has no fields of its own: what is wrong is wrong altogether.
    form = FormState(form_error=form.message)
    return render_secret(request, "people/sign_up_finish.html", form=form, wanted=wanted.new)


@pages.form(FINISH, Need.ANYONE, on=show_finish)
async def finish_sign_up(request: Request, secret: str) -> Response[Any]:
    """Makes the account that the e-mail was about, and signs its person in."""
    wanted = await requested_with(request.store, secret)
    user = await signup.finish_sign_up(request, secret, wanted.invitation)
    return await redirect_signed_in(request, user, safe_path(wanted.next), "welcome")


async def _why_not(request: Request, invitation: str) -> Refusal | None:
    """Returns why the visitor cannot sign up; better said before they fill in a form."""
    counted = (INVITATION_FROM_ADDRESS, request.client_address)
    try:
        check_mode(request.settings.sign_up, has_link=bool(invitation))
        if invitation:
            async with guessing(request.store, request.now, counted, wrong=LinkExpired):
                invite = await find_signup_invite(request, invitation)
                if not invite["vouchers"]:
                    await check_invitation(request.store, invitation)
    except (LinkExpired, SignUpClosed) as refusal:
        return refusal
    return None
