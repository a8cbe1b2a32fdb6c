"""Pages of webhooks: one's own, and those of the house for administrators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages, page_routes
from commonroom.http.render import render, render_secret
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router
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


def _declare_pages(here: str, need: Need, recent: Need, owner_of: Callable[[Request], str]) -> None:
    """Declares the webhooks of an owner, at an address of theirs."""
    is_own = here == OWN

    @pages.page(here, need)
    async def list_webhooks(request: Request, form: FormState = EMPTY) -> Response[Any]:
        """The webhooks, and the form for another: one request."""
        found = await webhooks.list_webhooks(request.store, owner_of(request))
        person = request.person if is_own else None
        return render(
            request,
            "notifications/webhooks.html",
            frame=TEMPLATES[here],
            here=here,
            form=form,
            webhooks=[(one, webhooks.is_active(one, person)) for one in found],
            most=webhooks.MAX_WEBHOOKS,
        )

    @pages.form(here, recent, on=list_webhooks, also_shows=(Refusal,))
    async def make(request: Request, data: WebhookForm) -> Response[Any]:
        """Makes a webhook, and shows its secret this once."""
        made, secret = await make_webhook(
            request, name=data.name, address=data.address, for_house=not is_own
        )
        template, frame = "notifications/webhook_made.html", TEMPLATES[here]
        return render_secret(
            request, template, frame=frame, here=here, name=made.name, secret=secret
        )

    one = f"{here}/{{webhook_id:str}}"

    @pages.form(f"{one}/test", need, leads_to=here, flash="webhook-tested")
    async def test(request: Request, webhook_id: str) -> None:
        """Sends a test message."""
        await webhooks.request_test(request.context, owner_of(request), webhook_id)

    @pages.form(f"{one}/delete", need, leads_to=here, flash="webhook-deleted")
    async def delete(request: Request, webhook_id: str) -> None:
        """Ends a webhook."""
        await webhooks.delete_webhook(request.context, owner_of(request), webhook_id)


_declare_pages(OWN, Need.BROWSER, Need.RECENT_AUTH, lambda request: request.person.user_id)
_declare_pages(HOUSE, Need.ADMINISTRATOR, Need.ADMINISTRATOR_RECENT_AUTH, lambda _: INSTALLATION)


def webhook_pages() -> Router:
    """Returns the router of the webhooks' pages."""
    return Router(
        "/",
        page_routes(pages),
        max_body=MAX_FORM,
    )
