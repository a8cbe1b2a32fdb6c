"""What administrators see and do: the people here, and invitations for those who are not."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from commonroom.accounts import sensitive_acts, tables
from commonroom.accounts.service import administration
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, From
from commonroom.http.forms import Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render, render_secret
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.sharing import shared
from commonroom.http.words import _

PEOPLE = "/admin/people"
ONE = f"{PEOPLE}/{{user_id:str}}"
BACK = f"{PEOPLE}/{{user_id}}"
PAGE = 50

INVITATIONS = "/admin/invitations"
NEW_INVITATION = FormState({"uses": 1})


pages = Pages()


async def _person(request: Request) -> User:
    person = await administration.person_by_id(request.store, request.path_params["user_id"])
    if person.is_managed:
        raise NotFound("This person does not exist.")
    return person


Person: TypeAlias = Annotated[User, From(_person)]
"""A person with an account of their own, whom the path names."""


@pages.page(PEOPLE, Need.ADMINISTRATOR)
async def list_people(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Everybody with an account."""
    return await _render_people(request, cursor)


@pages.page(ONE, Need.ADMINISTRATOR)
async def show_person(request: Request, person: Person, cursor: Cursor = None) -> Response[Any]:
    """One of them beside the others."""
    return await _render_people(request, cursor, chosen=person)


@pages.form(f"{ONE}/reset-link", Need.ADMINISTRATOR_RECENT_AUTH, on=show_person)
async def make_reset_link(request: Request, person: Person) -> Response[Any]:
    """Shows a one-time link for a person who forgot their password, this once."""
    secret = await sensitive_acts.make_reset_link(request, person)
    link = shared(request, f"/reset/{secret}", _("New password"), is_shown_once=True)
    return render_secret(request, "admin/reset_link.html", person=person, link=link)


@pages.form(
    f"{ONE}/administrator",
    Need.ADMINISTRATOR_RECENT_AUTH,
    leads_to=BACK,
    flash="made-administrator",
)
async def make_administrator(request: Request, person: Person) -> None:
    """Makes a person an administrator."""
    await sensitive_acts.make_administrator(request, person)


@pages.form(f"{ONE}/ordinary", Need.ADMINISTRATOR_RECENT_AUTH, leads_to=BACK, flash="made-ordinary")
async def make_ordinary(request: Request, person: Person) -> Response[Any] | None:
    """Takes that away again, perhaps from oneself."""
    await sensitive_acts.make_ordinary(request, person)
    if person.user_id == request.person.user_id:
        return redirect("/sign-in", "no-longer-administrator")
    return None


@pages.form(f"{ONE}/disable", Need.ADMINISTRATOR_RECENT_AUTH, leads_to=BACK, flash="disabled")
async def disable(request: Request, person: Person) -> None:
    """Disables an account."""
    await sensitive_acts.disable(request, person)


@pages.form(f"{ONE}/enable", Need.ADMINISTRATOR_RECENT_AUTH, leads_to=BACK, flash="enabled")
async def enable(request: Request, person: Person) -> None:
    """Enables an account again."""
    await sensitive_acts.enable(request, person)


async def _render_people(
    request: Request, cursor: str | None, chosen: User | None = None
) -> Response[Any]:
    found = await administration.people(request.store, limit=PAGE, cursor=cursor)
    people, after = found.items, found.cursor
    return render(request, "admin/people.html", people=people, cursor=after, chosen=chosen)


class InvitationForm(Form):
    """An invitation for people who are not here yet."""

    note: Line = ""
    uses: int = 1


@pages.page(INVITATIONS, Need.ADMINISTRATOR)
async def list_invitations(
    request: Request, cursor: Cursor = None, form: FormState = NEW_INVITATION
) -> Response[Any]:
    """The invitations that are out, and the form for another."""
    found = await request.store.page(tables.invitations(), cursor=cursor)
    return render(
        request,
        "admin/invitations.html",
        form=form,
        invitations=found.items,
        cursor=found.cursor,
        most_uses=administration.MAX_USES,
        mode=request.settings.sign_up,
    )


@pages.form(INVITATIONS, Need.ADMINISTRATOR, on=list_invitations)
async def invite(request: Request, data: InvitationForm) -> Response[Any]:
    """Makes an invitation, and shows its link this once."""
    secret = await administration.invite(request.context, note=data.note, uses=data.uses)
    link = shared(
        request, f"/sign-up?invitation={secret}", _("Join our Commonroom"), is_shown_once=True
    )
    uses = max(1, min(data.uses, administration.MAX_USES))
    return render_secret(request, "admin/invitation_made.html", link=link, uses=uses)


@pages.form(
    f"{INVITATIONS}/{{digest:str}}/revoke",
    Need.ADMINISTRATOR,
    leads_to=INVITATIONS,
    flash="invitation-revoked",
)
async def revoke_invitation(ctx: Ctx, digest: str) -> None:
    """Ends an invitation."""
    await administration.revoke_invitation(ctx.store, digest)
