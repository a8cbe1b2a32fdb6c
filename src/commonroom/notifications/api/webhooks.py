"""Webhooks for programs: one's own, and those of the house."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.projections import projection
from commonroom.http.request import Request
from commonroom.moments import Moment
from commonroom.notifications import tables, webhooks
from commonroom.notifications.webhook_setup import make_webhook
from commonroom.notifications.webhooks import INSTALLATION, AlreadyTesting, TooManyWebhooks

OWN = "/me/webhooks"
HOUSE = "/webhooks"


api = Operations("Webhooks")


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """Where messages are to be sent."""

    name: Annotated[str, Meta(max_length=200)]
    address: Annotated[str, Meta(max_length=2000, description="It begins with `https://`.")]


class WebhookView(Struct, frozen=True, kw_only=True):
    """An address at which a program receives notifications."""

    webhook_id: str
    name: str
    address: str
    is_active: bool
    since: Moment
    delivered_at: Annotated[
        Moment | None, Meta(description="When it last took a message, to the hour.")
    ]
    failing_since: Moment | None
    problem: Annotated[str | None, Meta(description="What went wrong the last time.")]


class WebhookWithSecret(WebhookView, frozen=True, kw_only=True):
    """A webhook that was just made."""

    secret: Annotated[str, Meta(description="Messages are signed with it. Shown this once.")]


class Webhooks(Struct, frozen=True):
    """All of them."""

    items: list[WebhookView]


@api.get(OWN, Need.NOT_ACTING)
async def list_webhooks(ctx: Ctx) -> Webhooks:
    """List one's webhooks.

    Notifications are sent to them as JSON, signed as the Standard Webhooks specification says,
    and sent again for two hours where nobody takes it.
    """
    found = await webhooks.list_webhooks(ctx.store, ctx.person.user_id)
    return Webhooks([_view(one, ctx.person) for one in found])


@api.post(OWN, Need.RECENT_AUTH, errors=[TooManyWebhooks])
async def create_webhook(request: Request, new: NewWebhook) -> WebhookWithSecret:
    """Make a webhook.

    Its secret is shown this once, and a test message is sent. A token cannot make one.
    """
    made, secret = await make_webhook(request, name=new.name, address=new.address)
    return WebhookWithSecret(**asdict(_view(made, request.person)), secret=secret)


@api.post(
    f"{OWN}/{{webhook_id:str}}/test", Need.NOT_ACTING, status=202, errors=[NotFound, AlreadyTesting]
)
async def test_webhook(ctx: Ctx, webhook_id: str) -> WebhookView:
    """Send a test message to one of one's webhooks."""
    tried = await webhooks.request_test(ctx, ctx.person.user_id, webhook_id)
    return _view(tried, ctx.person)


@api.delete(f"{OWN}/{{webhook_id:str}}", Need.NOT_ACTING, errors=[NotFound])
async def delete_webhook(ctx: Ctx, webhook_id: str) -> None:
    """Delete one of one's webhooks."""
    await webhooks.delete_webhook(ctx, ctx.person.user_id, webhook_id)


@api.get(HOUSE, Need.ADMINISTRATOR)
async def list_house_webhooks(ctx: Ctx) -> Webhooks:
    """List the webhooks of the installation.

    They hear that something of a kind happened, not to whom nor what it was about.
    """
    found = await webhooks.list_webhooks(ctx.store, INSTALLATION)
    return Webhooks([_view(one, None) for one in found])


@api.post(HOUSE, Need.ADMINISTRATOR_RECENT_AUTH, errors=[TooManyWebhooks])
async def create_house_webhook(request: Request, new: NewWebhook) -> WebhookWithSecret:
    """Make a webhook of the installation.

    Its secret is shown this once, and a test message is sent.
    """
    made, secret = await make_webhook(request, name=new.name, address=new.address, for_house=True)
    return WebhookWithSecret(**asdict(_view(made, None)), secret=secret)


@api.post(
    f"{HOUSE}/{{webhook_id:str}}/test",
    Need.ADMINISTRATOR,
    status=202,
    errors=[NotFound, AlreadyTesting],
)
async def test_house_webhook(ctx: Ctx, webhook_id: str) -> WebhookView:
    """Send a test message to a webhook of the installation."""
    return _view(await webhooks.request_test(ctx, INSTALLATION, webhook_id), None)


@api.delete(f"{HOUSE}/{{webhook_id:str}}", Need.ADMINISTRATOR, errors=[NotFound])
async def delete_house_webhook(ctx: Ctx, webhook_id: str) -> None:
    """Delete a webhook of the installation."""
    await webhooks.delete_webhook(ctx, INSTALLATION, webhook_id)


def _view(one: tables.Webhook, person: User | None) -> WebhookView:
    return _webhook(one, webhooks.is_active(one, person))


_webhook = projection(tables.Webhook, WebhookView, bool, is_active=lambda _, active: active)
