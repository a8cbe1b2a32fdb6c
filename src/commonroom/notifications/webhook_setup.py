"""Webhooks for pages and API alike: whose they are, and who is notified of changes to them."""

from __future__ import annotations

from commonroom.accounts.sensitive_acts import WEBHOOK_MADE, notify_of
from commonroom.http.request import Request
from commonroom.http.words import lazy
from commonroom.notifications import Kind, webhooks
from commonroom.notifications.tables import Webhook
from commonroom.notifications.webhooks import INSTALLATION, secret_of
from commonroom.settings import secrets_of

OWN = "/me/webhooks"
HOUSE = "/admin/webhooks"
WEBHOOK_GIVEN_UP = Kind(
    "webhook_given_up",
    lazy("The webhook “%(name)s” was turned off"),
    lazy("Its server has not answered for a week. Test it to turn it on again."),
)
KINDS = (WEBHOOK_GIVEN_UP,)


async def make_webhook(
    request: Request, *, name: str, address: str, for_house: bool = False
) -> tuple[Webhook, str]:
    """Adds a webhook of the caller, or of the house; returns it with its secret, and notifies."""
    owner = INSTALLATION if for_house else request.person.user_id
    made = await webhooks.make_webhook(request.context, owner, name=name, address=address)
    link = HOUSE if for_house else OWN
    await notify_of(
        request.store, request.now, WEBHOOK_MADE, request.person, by=request.person, link=link
    )
    return made, secret_of(secrets_of(request.settings), made)
