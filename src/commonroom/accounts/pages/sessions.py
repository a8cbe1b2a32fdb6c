"""Sessions: signing in and out, and the security page with one's browsers."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.cookies import device_of, forget_session, sign_browser_in, start_session
from commonroom.accounts.service import sessions
from commonroom.accounts.service.signup import is_set_up
from commonroom.accounts.service.stored_accounts import read_again
from commonroom.accounts.tables import Session, User, sessions_of
from commonroom.errors import CommonroomError, Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.client_address import client_of
from commonroom.http.forms import EMPTY, Address, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect, safe_path
from commonroom.http.render import render
from commonroom.http.request import Cursor, Next, Request
from commonroom.http.responses import Response
from commonroom.http.words import _
from commonroom.outgoing.mail import MailFailed

SECURITY = "/me/security"

# The more particular first: most browsers also claim to be another.
BROWSERS = {
    "Edg/": "Edge",
    "EdgA/": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Vivaldi/": "Vivaldi",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "Chromium/": "Chromium",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
MACHINES = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}
HANDHELD = ("iPhone", "iPad", "Android")


pages = Pages()


class SignInForm(Form):
    """A person who has an account here."""

    email: Line
    password: Line
    next: Address = ""


@pages.page("/sign-in", Need.ANYONE)
async def show_sign_in(
    request: Request,
    next: Next = "",  # noqa: A002 - the word in the address
    form: FormState = EMPTY,
) -> Response[Any]:
    """The form to sign in."""
    if form is EMPTY:
        if request.caller.account is not None:
            return redirect(safe_path(next))
        if not await is_set_up(request.store):
            return redirect("/setup")
    mode, next_ = request.settings.sign_up, form.value("next") or next
    return render(request, "people/sign_in.html", form=form, next=next_, mode=mode)


@pages.form("/sign-in", Need.ANYONE, on=show_sign_in, also_shows=(Refusal,))
async def sign_in(request: Request, data: SignInForm) -> Response[Any]:
    """Signs a browser in; the session it had before ends."""
    user, secret = await sessions.sign_in(
        request.store,
        request.now,
        email=data.email,
        password=data.password,
        device=device_of(request),
        **client_of(request),
    )
    response = redirect(safe_path(data.next))
    await start_session(request, response, user, secret)
    return response


@pages.form("/sign-out", Need.ANYONE)
async def sign_out(request: Request) -> Response[Any]:
    """Ends this browser's session."""
    if request.caller.session is not None:
        await sessions.sign_out(request.store, request.caller.session)
    response = redirect("/", "signed-out")
    forget_session(request, response)
    return response


@pages.page(SECURITY, Need.BROWSER)
async def show_security(
    request: Request,
    cursor: Cursor = None,
    *,
    address_form: FormState | None = None,
    password_form: FormState = EMPTY,
    confirmation_form: FormState = EMPTY,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """Address, password, and the browsers that are signed in."""
    person = request.person
    found = await request.store.page(sessions_of(user_id=person.user_id), cursor=cursor)
    if isinstance(error, MailFailed):
        # The new address waits all the same: another e-mail can be asked for.
        person = await request.store.get(person.ref) or person
        confirmation_form, address_form = FormState(form_error=error.detail), None
    return render(
        request,
        "people/security.html",
        person=person,
        sends_mail=request.mailer.sends,
        letter_error=confirmation_form.message,
        address_form=address_form or FormState({"email": person.email}),
        password_form=password_form,
        # Those of an earlier epoch stand for nobody, and go by themselves.
        sessions=[one for one in found.items if one.epoch == person.epoch],
        this=request.caller.session,
        browser_name=browser_name,
        is_handheld=is_handheld,
        cursor=found.cursor,
    )


@pages.form(
    f"{SECURITY}/sessions/{{digest:str}}/end",
    Need.BROWSER,
    leads_to=SECURITY,
    flash="session-ended",
)
async def end_session(ctx: Ctx, digest: str) -> None:
    """Signs one of one's browsers out."""
    await sessions.end_session(ctx, digest)


@pages.form(f"{SECURITY}/sessions/end-others", Need.BROWSER)
async def end_other_sessions(request: Request) -> Response[Any]:
    """Signs one out everywhere but here, programs included."""
    await sessions.end_all_sessions(request.store, request.person)
    user = await read_again(request.store, request.person)
    session = request.caller.session
    return await redirect_signed_in(request, user, SECURITY, "sessions-ended", instead_of=session)


async def redirect_signed_in(
    request: Request, user: User, address: str, flash: str, *, instead_of: Session | None = None
) -> Response[Any]:
    """Signs the browser in for a person who has proved who they are, and sends it on."""
    response = redirect(address, flash)
    await sign_browser_in(request, response, user, instead_of=instead_of)
    return response


def browser_name(agent: str) -> str:
    """Such as “Firefox on Windows”."""
    browser = _first_sign(agent, BROWSERS)
    machine = _first_sign(agent, MACHINES)
    if browser and machine:
        return _("%(browser)s on %(machine)s") % {"browser": browser, "machine": machine}
    return browser or machine or _("Unknown browser")


def is_handheld(agent: str) -> bool:
    """Whether it looks like a phone or tablet."""
    return any(sign in agent for sign in HANDHELD)


def _first_sign(agent: str, signs: dict[str, str]) -> str | None:
    return next((name for sign, name in signs.items() if sign in agent), None)
