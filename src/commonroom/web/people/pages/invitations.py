"""Invitations: administrators' links for people who are not here yet."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.accounts import tables
from commonroom.accounts.service import invitations
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import Filled, Form, Line, form, handlers, page
from commonroom.web.render import render, render_secret
from commonroom.web.request import Cursor, Request
from commonroom.web.sharing import shared
from commonroom.web.words import _

HERE = "/admin/invitations"
FRESH = Filled({"uses": 1})


class InvitationForm(Form):
    """An invitation for people who are not here yet."""

    note: Line = ""
    uses: int = 1


@page(HERE, Need.ADMINISTRATOR)
async def list_invitations(
    request: Request, cursor: Cursor = None, form: Filled = FRESH
) -> Response[Any]:
    """The invitations that are out, and the form for another."""
    found = await request.store.page(tables.invitations(), cursor=cursor)
    return render(
        request,
        "admin/invitations.html",
        form=form,
        invitations=found.items,
        cursor=found.cursor,
        most_uses=invitations.MOST_USES,
        mode=request.settings.sign_up,
    )


@form(HERE, Need.ADMINISTRATOR, on=list_invitations)
async def invite(request: Request, data: InvitationForm) -> Response[Any]:
    """Makes an invitation, and shows its link this once."""
    secret = await invitations.invite(request.context, note=data.note, uses=data.uses)
    link = shared(request, f"/sign-up?invitation={secret}", _("Join our Commonroom"))
    uses = max(1, min(data.uses, invitations.MOST_USES))
    return render_secret(request, "admin/invitation_made.html", link=link, uses=uses)


@form(
    f"{HERE}/{{digest:str}}/revoke", Need.ADMINISTRATOR, leads_to=HERE, flash="invitation-revoked"
)
async def revoke_invitation(ctx: Ctx, digest: str) -> None:
    """Ends an invitation."""
    await invitations.revoke_invitation(ctx.store, digest)


HANDLERS = handlers(list_invitations, invite, revoke_invitation)
