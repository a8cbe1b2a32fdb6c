"""E-mail addresses: changing one's own, and confirming it with the link of an e-mail."""

from __future__ import annotations

from commonroom.accounts import sensitive_acts
from commonroom.accounts.api import views
from commonroom.accounts.api.bodies import AddressChange
from commonroom.accounts.errors import AlreadyConfirmed, EmailTaken, LinkExpired, MailDisabled
from commonroom.accounts.service import email_addresses
from commonroom.errors import NotFound, RateLimited
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import tagged
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse

api = Operations("My account")


@api.put("/me/address", Need.BROWSER, errors=(NotFound, EmailTaken, RateLimited))
async def change_address(request: Request, new: AddressChange) -> JsonResponse[views.Me]:
    """Change one's e-mail address.

    Where the installation sends mail, a letter goes to the new address, which is one's own once it
    is confirmed; elsewhere it is at once.
    """
    user = await sensitive_acts.change_address(request, new.email, new.password)
    return tagged(views.me(request, user))


@api.delete("/me/new-address", Need.BROWSER, errors=(NotFound,))
async def keep_address(ctx: Ctx) -> None:
    """Keep one's e-mail address.

    The other one, which waits to be confirmed, is wanted no more.
    """
    await email_addresses.keep_address(ctx)


@api.post("/me/confirmation", Need.BROWSER, errors=(AlreadyConfirmed, MailDisabled, RateLimited))
async def send_confirmation(request: Request) -> None:
    """Ask for another letter that confirms one's address, or the new one."""
    await request.mailer.ask_to_confirm(request.context)


@api.post("/confirmations/{secret:str}", Need.BROWSER, errors=(EmailTaken, LinkExpired))
async def confirm_address(request: Request, secret: str) -> JsonResponse[views.Me]:
    """Confirm an address with the secret of a letter's link.

    By the account that it was sent for.
    """
    user = await sensitive_acts.confirm_address(request, secret)
    return tagged(views.me(request, user), status=200)
