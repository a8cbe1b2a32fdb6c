"""Administrators' invitations to people who are not here yet."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.service import invitations
from commonroom.accounts.service.invitations import revoke_invitation
from commonroom.accounts.tables import invitations as invitations_made
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Sent
from commonroom.web.people.forms import InvitationForm
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_secret
from commonroom.web.request import Cursor, Request
from commonroom.web.sharing import shared
from commonroom.web.words import _

HERE = "/admin/invitations"
FRESH = Filled({"uses": 1})


@get(HERE, opt=needs(Need.ADMINISTRATOR))
async def list_invitations(request: Request, cursor: Cursor = None) -> Response[Any]:
    """The invitations that are out, and the form for another."""
    found = await request.store.page(invitations_made(), cursor=cursor)
    return render(
        request,
        "admin/invitations.html",
        form=FRESH,
        invitations=found.items,
        cursor=found.cursor,
        most_uses=invitations.MOST_USES,
        mode=request.settings.sign_up,
    )


@post(HERE, opt=needs(Need.ADMINISTRATOR), status_code=200)
async def invite(request: Request, data: Sent[InvitationForm]) -> Response[Any]:
    """Makes an invitation, and shows its link this once."""
    secret = await invitations.invite(request.context, note=data.note, uses=data.uses)
    link = shared(request, f"/sign-up?invitation={secret}", _("Join our Commonroom"))
    uses = max(1, min(data.uses, invitations.MOST_USES))
    return render_secret(request, "admin/invitation_made.html", link=link, uses=uses)


@post(f"{HERE}/{{digest:str}}/revoke", opt=needs(Need.ADMINISTRATOR), status_code=200)
async def revoke(request: Request, digest: FromPath[str]) -> Response[Any]:
    """Ends an invitation."""
    await revoke_invitation(request.store, digest)
    return redirect(HERE, "invitation-revoked")
