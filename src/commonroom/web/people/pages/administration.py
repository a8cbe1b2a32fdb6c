"""What administrators see and do of the people here."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Response

from commonroom.accounts.service import administration
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.web.access import Need
from commonroom.web.arguments import From
from commonroom.web.forms import form, handlers, page
from commonroom.web.people import sensitive_acts
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_secret
from commonroom.web.request import Cursor, Request
from commonroom.web.sharing import shared
from commonroom.web.words import _

HERE = "/admin/people"
ONE = f"{HERE}/{{user_id:str}}"
BACK = f"{HERE}/{{user_id}}"
PAGE = 50


async def _person(request: Request) -> User:
    person = await administration.person_by_id(request.store, request.path_params["user_id"])
    if person.is_managed:
        raise NotFound("This person does not exist.")
    return person


Person: TypeAlias = Annotated[User, From(_person)]
"""Somebody with an account of their own, whom the path names."""


@page(HERE, Need.ADMINISTRATOR)
async def list_people(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Everybody with an account."""
    return await _render_people(request, cursor)


@page(ONE, Need.ADMINISTRATOR)
async def show_person(request: Request, person: Person, cursor: Cursor = None) -> Response[Any]:
    """One of them beside the others."""
    return await _render_people(request, cursor, chosen=person)


@form(f"{ONE}/reset-link", Need.ADMINISTRATOR_RECENT_AUTH, on=show_person)
async def make_reset_link(request: Request, person: Person) -> Response[Any]:
    """A one-time link for somebody who forgot their password, shown this once."""
    secret = await sensitive_acts.make_reset_link(request, person)
    link = shared(request, f"/reset/{secret}", _("New password"))
    return render_secret(request, "admin/reset_link.html", person=person, link=link)


@form(
    f"{ONE}/administrator",
    Need.ADMINISTRATOR_RECENT_AUTH,
    leads_to=BACK,
    flash="made-administrator",
)
async def make_administrator(request: Request, person: Person) -> None:
    """Lets somebody run the installation."""
    await sensitive_acts.make_administrator(request, person)


@form(f"{ONE}/ordinary", Need.ADMINISTRATOR_RECENT_AUTH, leads_to=BACK, flash="made-ordinary")
async def make_ordinary(request: Request, person: Person) -> Response[Any] | None:
    """Takes that away again, perhaps from oneself."""
    await sensitive_acts.make_ordinary(request, person)
    if person.user_id == request.person.user_id:
        return redirect("/sign-in", "no-longer-administrator")
    return None


@form(f"{ONE}/disable", Need.ADMINISTRATOR_RECENT_AUTH, leads_to=BACK, flash="disabled")
async def disable(request: Request, person: Person) -> None:
    """Keeps somebody out."""
    await sensitive_acts.disable(request, person)


@form(f"{ONE}/enable", Need.ADMINISTRATOR_RECENT_AUTH, leads_to=BACK, flash="enabled")
async def enable(request: Request, person: Person) -> None:
    """Lets somebody in again."""
    await sensitive_acts.enable(request, person)


async def _render_people(
    request: Request, cursor: str | None, chosen: User | None = None
) -> Response[Any]:
    found = await administration.people(request.store, limit=PAGE, cursor=cursor)
    people, after = found.items, found.cursor
    return render(request, "admin/people.html", people=people, cursor=after, chosen=chosen)


HANDLERS = handlers(
    list_people, show_person, make_reset_link, make_administrator, make_ordinary, disable, enable
)
