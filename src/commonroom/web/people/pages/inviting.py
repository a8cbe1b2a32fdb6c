"""Administrators' invitations to people who are not here yet."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.service import signing_up
from commonroom.accounts.service.administering import revoke_invitation
from commonroom.accounts.tables import invitations as invitations_made
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import (
    AnyRequest,
    Cursor,
    person_in,
    sign_up_mode,
    store_of,
)
from commonroom.web.people.forms import Filled, InvitationForm, Sent
from commonroom.web.people.showing import shown_once
from commonroom.web.rendering import page, to
from commonroom.web.sharing import shared
from commonroom.web.words import _

HERE = "/admin/invitations"
FRESH = Filled({"uses": 1})


@get(HERE, opt=needs(Need.ADMINISTRATOR))
async def invitations(request: AnyRequest, cursor: Cursor = None) -> Response[Any]:
    """The invitations that are out, and the form for another."""
    found = await store_of(request).page(invitations_made(), cursor=cursor)
    return page(
        request,
        "admin/invitations.html",
        form=FRESH,
        invitations=found.items,
        cursor=found.cursor,
        most_uses=signing_up.MOST_USES,
        mode=sign_up_mode(request),
    )


@post(HERE, opt=needs(Need.ADMINISTRATOR), status_code=200)
async def invite(request: AnyRequest, data: Sent[InvitationForm]) -> Response[Any]:
    """Makes an invitation, and shows its link this once."""
    secret = await signing_up.invite(
        store_of(request), time.time(), person_in(request), note=data.note, uses=data.uses
    )
    link = shared(request, f"/sign-up?invitation={secret}", _("Join our Commonroom"))
    uses = max(1, min(data.uses, signing_up.MOST_USES))
    return shown_once(request, "admin/invitation_made.html", link=link, uses=uses)


@post(f"{HERE}/{{digest:str}}/revoke", opt=needs(Need.ADMINISTRATOR), status_code=200)
async def revoke(request: AnyRequest, digest: FromPath[str]) -> Response[Any]:
    """Ends an invitation."""
    await revoke_invitation(store_of(request), digest)
    return to(HERE, "invitation-revoked")
