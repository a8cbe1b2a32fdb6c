"""Passwords: changing, forgetting and confirming one's own."""

from __future__ import annotations

from commonroom.accounts import sensitive_acts
from commonroom.accounts.api import views
from commonroom.accounts.api.bodies import (
    ForgottenPasswordBody,
    NewPassword,
    PasswordChange,
    PasswordConfirmation,
)
from commonroom.accounts.api.sessions import signed_in
from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.service import sessions
from commonroom.errors import RateLimited
from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse

api = Operations("Sign-in and sign-up", errors=(RateLimited,))
my_account = api.tagged("My account")


@api.post("/resets", Need.ANYONE)
async def ask_for_reset(request: Request, forgotten: ForgottenPasswordBody) -> None:
    """Ask for a letter with a link to choose a new password.

    Works where the installation sends mail. The answer is the same whether or not anybody has the
    address.
    """
    address = request.client_address
    await request.mailer.forgotten(request.now, email=forgotten.email, address=address)


@api.post("/resets/{secret:str}", Need.ANYONE, errors=(LinkExpired, RateLimited))
async def choose_new_password(request: Request, secret: str, new: NewPassword) -> None:
    """Choose a new password with a one-time link.

    Ends all sessions and tokens of the account; sign in afterwards.
    """
    await sensitive_acts.choose_new_password(request, secret, new.password)


@my_account.put("/me/password", Need.BROWSER, errors=(LinkExpired, RateLimited), cookie=True)
async def change_password(request: Request, new: PasswordChange) -> JsonResponse[views.Me]:
    """Change one's password.

    Ends all sessions and tokens; the browser that asks gets a new session.
    """
    user = await sensitive_acts.change_password(request, old=new.old_password, new=new.password)
    return await signed_in(request, user)


@my_account.put("/me/password-confirmation", Need.BROWSER)
async def confirm_password(request: Request, known: PasswordConfirmation) -> None:
    """Give one's password again.

    Some operations need that it was given within the last 15 minutes, here or by signing in.
    """
    session = request.caller.browser_session
    await sessions.confirm_password(request.context, session, known.password)
