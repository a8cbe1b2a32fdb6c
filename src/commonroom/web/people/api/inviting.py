"""Administrators' invitations to people who are not here yet."""

from __future__ import annotations

import time

import msgspec

from commonroom.accounts import secrets
from commonroom.accounts.context import Context
from commonroom.accounts.service import invitations
from commonroom.accounts.service.invitations import revoke_invitation as revoke
from commonroom.accounts.tables import Invitation
from commonroom.accounts.tables import invitations as invitations_made
from commonroom.errors import NotFound
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post
from commonroom.web.paging import Listed, Paging, listed
from commonroom.web.people.api import views
from commonroom.web.people.api.bodies import NewInvitation
from commonroom.web.request import Request


@get("/invitations", Need.ADMINISTRATOR)
async def list_invitations(
    request: Request, paging: Paging
) -> JsonResponse[Listed[views.Invitation]]:
    """List the invitations that are out."""
    return JsonResponse(await listed(request.store, invitations_made(), paging, views.invitation))


@post("/invitations", Need.ADMINISTRATOR, errors=(404,))
async def invite(request: Request, new: NewInvitation) -> JsonResponse[views.InvitationWithSecret]:
    """Invite people who are not here yet.

    The invitation is valid for a week. Its secret is shown this once.
    """
    store = request.store
    secret = await invitations.invite(
        Context(store, request.person, time.time()), note=new.note, uses=new.uses
    )
    made = await store.get(Invitation.at(digest=secrets.digest(secret)))
    if made is None:
        raise NotFound("This invitation was revoked.")
    shown = msgspec.structs.asdict(views.invitation(made))
    path = f"/sign-up?invitation={secret}"
    return JsonResponse(views.InvitationWithSecret(**shown, secret=secret, path=path))


@delete("/invitations/{digest:str}", Need.ADMINISTRATOR)
async def revoke_invitation(request: Request, digest: str) -> JsonResponse[None]:
    """Revoke an invitation."""
    await revoke(request.store, digest)
    return JsonResponse(None)


OPERATIONS = part("Administrators", list_invitations, invite, revoke_invitation)
