"""Signing up, and the first account."""

from __future__ import annotations

from commonroom.accounts import signup
from commonroom.accounts.api import views
from commonroom.accounts.api.bodies import SetUp, SignUp
from commonroom.accounts.api.sessions import signed_in
from commonroom.accounts.errors import AlreadySetUp, EmailTaken, LinkExpired
from commonroom.accounts.service.signup import requested_with
from commonroom.errors import RateLimited
from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse

api = Operations("Sign-in and sign-up")


@api.post("/setup", Need.ANYONE, errors=(AlreadySetUp, RateLimited), cookie=True)
async def set_up(request: Request, new: SetUp) -> JsonResponse[views.Me]:
    """Make the first administrator.

    Works once, on an installation that nobody has set up. Signs the browser in.
    """
    user = await signup.set_up(request, new.account, new.code or "")
    return await signed_in(request, user, status=201)


@api.post("/accounts", Need.ANYONE, errors=(202, EmailTaken, LinkExpired, RateLimited), cookie=True)
async def sign_up(request: Request, new: SignUp) -> JsonResponse[views.Me | None]:
    """Sign up.

    Where the installation asks for one, with an invitation or an invite of a room. Where it sends
    mail, the answer is 202 for every address, and a letter brings the link that makes the account;
    elsewhere it is made at once, and the browser signed in.
    """
    user = await signup.sign_up(request, new.account, link=new.invitation or "")
    if user is None:
        return JsonResponse(None, status=202)
    return await signed_in(request, user, status=201)


@api.post("/sign-ups/{secret:str}", Need.ANYONE, errors=(EmailTaken, LinkExpired), cookie=True)
async def finish_sign_up(request: Request, secret: str) -> JsonResponse[views.Me]:
    """Finish signing up with the secret of a letter's link.

    Makes the account, with its address confirmed, and signs the browser in.
    """
    wanted = await requested_with(request.store, secret)
    user = await signup.finish_sign_up(request, secret, wanted.invitation)
    return await signed_in(request, user, status=201)
