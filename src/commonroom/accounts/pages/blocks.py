"""Whom a person has blocked, how they block a person from any page, and unblock them."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.service import blocks
from commonroom.http.access import Need
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.redirects import HOME, redirect, referring_path
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response

HERE = "/me/blocked"


pages = Pages()


class BlockedPersonForm(Form):
    """A person, by the handle that stood on the page."""

    person: Line


@pages.page(HERE, Need.BROWSER)
async def list_blocked(request: Request) -> Response[Any]:
    """Whom one has blocked: one request, or none."""
    store = request.store
    found = await blocks.list_blocked(store, request.person)
    people = [(one, blocks.person_handle(store, one.blocked_id, one.name)) for one in found]
    return render(request, "people/blocked.html", people=people)


@pages.form(HERE, Need.BROWSER, on=list_blocked)
async def block(request: Request, data: BlockedPersonForm) -> Response[Any]:
    """Blocks a person, and stays on the page where they were met."""
    await blocks.block(request.context, *blocks.open_handle(request.store, data.person))
    return redirect(_page_of_form(request), "blocked")


@pages.form(f"{HERE}/unblock", Need.BROWSER, on=list_blocked)
async def unblock(request: Request, data: BlockedPersonForm) -> Response[Any]:
    """Unblocks a person."""
    user_id, _ = blocks.open_handle(request.store, data.person)
    await blocks.unblock(request.context, user_id)
    return redirect(_page_of_form(request), "unblocked")


def _page_of_form(request: Request) -> str:
    path = referring_path(request)
    return HERE if path == HOME else path
