"""What administrators see and do of the people here."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.service import administration
from commonroom.accounts.service.profiles import LONGEST_ID
from commonroom.accounts.tables import User, user_by_id
from commonroom.errors import NotFound
from commonroom.web.access import Need, needs
from commonroom.web.people import sensitive_acts
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_secret
from commonroom.web.request import Cursor, Request
from commonroom.web.sharing import shared
from commonroom.web.words import _

HERE = "/admin/people"
ONE = f"{HERE}/{{user_id:str}}"
TEMPLATE = "admin/people.html"
PAGE = 50


@get(HERE, opt=needs(Need.ADMINISTRATOR))
async def everybody(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Everybody with an account."""
    found = await administration.people(request.store, limit=PAGE, cursor=cursor)
    return render(request, TEMPLATE, people=found.items, cursor=found.cursor, chosen=None)


@get(ONE, opt=needs(Need.ADMINISTRATOR))
async def person(request: Request, user_id: FromPath[str], cursor: Cursor = None) -> Response[Any]:
    """One of them beside the others."""
    chosen = await _person(request, user_id)
    found = await administration.people(request.store, limit=PAGE, cursor=cursor)
    return render(request, TEMPLATE, people=found.items, cursor=found.cursor, chosen=chosen)


@get(f"{ONE}/reset-link", opt=needs(Need.ADMINISTRATOR), sync_to_thread=False)
def back_to_person(user_id: FromPath[str]) -> Response[Any]:
    """For whoever opens the address of a link that was shown once."""
    return redirect(f"{HERE}/{quote(user_id)}")


@post(f"{ONE}/reset-link", opt=needs(Need.ADMINISTRATOR_RECENT_AUTH), status_code=200)
async def make_reset_link(request: Request, user_id: FromPath[str]) -> Response[Any]:
    """A one-time link for somebody who forgot their password, shown this once."""
    chosen = await _person(request, user_id)
    secret = await sensitive_acts.make_reset_link(request, chosen)
    link = shared(request, f"/reset/{secret}", _("New password"))
    return render_secret(request, "admin/reset_link.html", person=chosen, link=link)


@post(f"{ONE}/administrator", opt=needs(Need.ADMINISTRATOR_RECENT_AUTH), status_code=200)
async def make_administrator(request: Request, user_id: FromPath[str]) -> Response[Any]:
    """Lets somebody run the installation."""
    await sensitive_acts.make_administrator(request, await _person(request, user_id))
    return redirect(f"{HERE}/{quote(user_id)}", "made-administrator")


@post(f"{ONE}/ordinary", opt=needs(Need.ADMINISTRATOR_RECENT_AUTH), status_code=200)
async def make_ordinary(request: Request, user_id: FromPath[str]) -> Response[Any]:
    """Takes that away again, perhaps from oneself."""
    await sensitive_acts.make_ordinary(request, await _person(request, user_id))
    if user_id == request.person.user_id:
        return redirect("/sign-in", "no-longer-administrator")
    return redirect(f"{HERE}/{quote(user_id)}", "made-ordinary")


@post(f"{ONE}/disable", opt=needs(Need.ADMINISTRATOR_RECENT_AUTH), status_code=200)
async def disable(request: Request, user_id: FromPath[str]) -> Response[Any]:
    """Keeps somebody out."""
    await sensitive_acts.disable(request, await _person(request, user_id))
    return redirect(f"{HERE}/{quote(user_id)}", "disabled")


@post(f"{ONE}/enable", opt=needs(Need.ADMINISTRATOR_RECENT_AUTH), status_code=200)
async def enable(request: Request, user_id: FromPath[str]) -> Response[Any]:
    """Lets somebody in again."""
    await sensitive_acts.enable(request, await _person(request, user_id))
    return redirect(f"{HERE}/{quote(user_id)}", "enabled")


async def _person(request: Request, user_id: FromPath[str]) -> User:
    """Somebody with an account of their own."""
    # It comes from an address, and a key takes only so much.
    fits = 0 < len(user_id) <= LONGEST_ID and user_id.isprintable()
    found = await request.store.get(user_by_id(user_id=user_id)) if fits else None
    if found is None or found.is_managed:
        raise NotFound("This person does not exist.")
    return found
