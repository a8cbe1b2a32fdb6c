"""Pages of webhooks: one's own, and those of the house for administrators."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router

from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages, page_routes
from commonroom.http.render import render, render_secret
from commonroom.http.request import Request
from commonroom.notifications import webhooks
from commonroom.notifications.webhook_setup import HOUSE, OWN, make_webhook
from commonroom.notifications.webhooks import INSTALLATION

TEMPLATES = {OWN: "people/me.html", HOUSE: "admin/admin.html"}
MAX_FORM = 8192


pages = Pages()


class WebhookForm(Form):
    """Where to send messages."""

    name: Line
    address: Line


async def _render(request: Request, here: str, owner: str, form: FormState) -> Response[Any]:
    """One request."""
    found = await webhooks.list_webhooks(request.store, owner)
    account = request.person
    return render(
        request,
        "notifications/webhooks.html",
        frame=TEMPLATES[here],
        here=here,
        form=form,
        webhooks=[
            (one, webhooks.is_active(one, account if here == OWN else None)) for one in found
        ],
        most=webhooks.MAX_WEBHOOKS,
    )


@pages.page(OWN, Need.BROWSER)
async def list_own(request: Request, form: FormState = EMPTY) -> Response[Any]:
    """One's own webhooks, and the form for another."""
    return await _render(request, OWN, request.person.user_id, form)


@pages.form(OWN, Need.RECENT_AUTH, on=list_own, also_shows=(Refusal,))
async def make_own(request: Request, data: WebhookForm) -> Response[Any]:
    """Makes a webhook, and shows its secret this once."""
    made, secret = await make_webhook(request, name=data.name, address=data.address)
    return _made(request, OWN, made.name, secret)


@pages.form(f"{OWN}/{{webhook_id:str}}/test", Need.BROWSER, leads_to=OWN, flash="webhook-tested")
async def test_own(ctx: Ctx, webhook_id: str) -> None:
    """Sends a test message."""
    await webhooks.request_test(ctx, ctx.person.user_id, webhook_id)


@pages.form(f"{OWN}/{{webhook_id:str}}/delete", Need.BROWSER, leads_to=OWN, flash="webhook-deleted")
async def delete_own(ctx: Ctx, webhook_id: str) -> None:
    """Ends a webhook."""
    await webhooks.delete_webhook(ctx, ctx.person.user_id, webhook_id)


@pages.page(HOUSE, Need.ADMINISTRATOR)
async def list_of_house(request: Request, form: FormState = EMPTY) -> Response[Any]:
    """The webhooks of the house, and the form for another."""
    return await _render(request, HOUSE, INSTALLATION, form)


@pages.form(HOUSE, Need.ADMINISTRATOR_RECENT_AUTH, on=list_of_house, also_shows=(Refusal,))
async def make_for_house(request: Request, data: WebhookForm) -> Response[Any]:
    """Makes a webhook of the house, and shows its secret this once."""
    made, secret = await make_webhook(request, name=data.name, address=data.address, for_house=True)
    return _made(request, HOUSE, made.name, secret)


@pages.form(
    f"{HOUSE}/{{webhook_id:str}}/test", Need.ADMINISTRATOR, leads_to=HOUSE, flash="webhook-tested"
)
async def test_of_house(ctx: Ctx, webhook_id: str) -> None:
    """Sends a test message."""
    await webhooks.request_test(ctx, INSTALLATION, webhook_id)


@pages.form(
    f"{HOUSE}/{{webhook_id:str}}/delete",
    Need.ADMINISTRATOR,
    leads_to=HOUSE,
    flash="webhook-deleted",
)
async def delete_of_house(ctx: Ctx, webhook_id: str) -> None:
    """Ends a webhook of the house."""
    await webhooks.delete_webhook(ctx, INSTALLATION, webhook_id)


def _made(request: Request, here: str, name: str, secret: str) -> Response[Any]:
    return render_secret(
        request,
        "notifications/webhook_made.html",
        frame=TEMPLATES[here],
        here=here,
        name=name,
        secret=secret,
    )


def webhook_pages() -> Router:
    """Returns the router of the webhooks' pages."""
    return Router(
        "/",
        route_handlers=page_routes(pages),
        include_in_schema=False,
        request_max_body_size=MAX_FORM,
    )
