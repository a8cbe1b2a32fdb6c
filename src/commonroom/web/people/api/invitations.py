"""Invitations: administrators' links for people who are not here yet."""

from __future__ import annotations

import msgspec

from commonroom.accounts import secrets, tables
from commonroom.accounts.service import invitations
from commonroom.errors import NotFound
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.operations import delete, get, part, post
from commonroom.web.paging import Listed, Paging, listed
from commonroom.web.people.api import views
from commonroom.web.people.api.bodies import NewInvitation


@get("/invitations", Need.ADMINISTRATOR)
async def list_invitations(ctx: Ctx, paging: Paging) -> Listed[views.Invitation]:
    """List the invitations that are out."""
    return await listed(ctx.store, tables.invitations(), paging, views.invitation)


@post("/invitations", Need.ADMINISTRATOR, errors=(NotFound,))
async def invite(ctx: Ctx, new: NewInvitation) -> views.InvitationWithSecret:
    """Invite people who are not here yet.

    The invitation is valid for a week. Its secret is shown this once.
    """
    secret = await invitations.invite(ctx, note=new.note, uses=new.uses)
    made = await ctx.store.get(tables.Invitation.at(digest=secrets.digest(secret)))
    if made is None:
        raise NotFound("This invitation was revoked.")
    view = msgspec.structs.asdict(views.invitation(made))
    path = f"/sign-up?invitation={secret}"
    return views.InvitationWithSecret(**view, secret=secret, path=path)


@delete("/invitations/{digest:str}", Need.ADMINISTRATOR)
async def revoke_invitation(ctx: Ctx, digest: str) -> None:
    """Revoke an invitation."""
    await invitations.revoke_invitation(ctx.store, digest)


OPERATIONS = part("Administrators", list_invitations, invite, revoke_invitation)
