"""What one signs in with, and where one is signed in."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User, sessions_of
from commonroom.errors import NotFound, Refusal
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled, Sent, refused
from commonroom.web.people import browsers, sensitive_acts
from commonroom.web.people.forms import PasswordForm
from commonroom.web.people.pages.arriving import signed_in
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Cursor, Request

HERE = "/me/security"
TEMPLATE = "people/security.html"


@get(HERE, opt=needs(Need.BROWSER))
async def security(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Address, password, and the browsers that are signed in."""
    return render(request, TEMPLATE, **await security_context(request, cursor))


@get(
    [f"{HERE}/address", f"{HERE}/address/letter", f"{HERE}/password"],
    opt=needs(Need.BROWSER),
    sync_to_thread=False,
)
def back_to_security() -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(HERE)


@post(f"{HERE}/password", opt=needs(Need.BROWSER), status_code=200)
async def change_password(request: Request, data: Sent[PasswordForm]) -> Response[Any]:
    """Another password; this browser stays signed in, everything else does not."""
    try:
        person = await sensitive_acts.change_password(
            request, old=data.old_password, new=data.password
        )
    except Refusal as error:
        context = await security_context(request) | {"password_form": refused(data, error)}
        return render_refused(request, TEMPLATE, error, **context)
    return await signed_in(request, person, HERE, "password-changed")


@post(f"{HERE}/sessions/{{digest:str}}/end", opt=needs(Need.BROWSER), status_code=200)
async def end_session(request: Request, digest: FromPath[str]) -> Response[Any]:
    """Signs one of one's browsers out."""
    await sessions.end_session(request.context, digest)
    return redirect(HERE, "session-ended")


@post(f"{HERE}/sessions/end-others", opt=needs(Need.BROWSER), status_code=200)
async def end_other_sessions(request: Request) -> Response[Any]:
    """Signs one out everywhere but here, programs included."""
    store, person = request.store, request.person
    await sessions.end_all_sessions(store, person)
    now_known = await store.get(person.ref)
    if now_known is None:
        raise NotFound("This account was deleted.")
    session = request.caller.session
    return await signed_in(request, now_known, HERE, "sessions-ended", instead_of=session)


async def security_context(
    request: Request, cursor: str | None = None, person: User | None = None
) -> dict[str, Any]:
    """What the page shows; `person` as stored now, where the request has changed them."""
    caller, person = request.caller, person or request.person
    found = await request.store.page(sessions_of(user_id=person.user_id), cursor=cursor)
    return {
        "person": person,
        "sends_mail": request.mailer.sends,
        "letter_error": None,
        "address_form": Filled({"email": person.email}),
        "password_form": EMPTY,
        # Those of an earlier epoch stand for nobody, and go by themselves.
        "sessions": [one for one in found.items if one.epoch == person.epoch],
        "this": caller.session,
        "browsers": browsers,
        "cursor": found.cursor,
    }
