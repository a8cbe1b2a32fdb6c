"""Who sits at the screen: oneself, or one of the members one manages."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from commonroom.accounts.service import profiles
from commonroom.web.access import Need, needs
from commonroom.web.forms import Sent
from commonroom.web.people.cookies import keep_acting
from commonroom.web.people.forms import ActForm
from commonroom.web.people.pages.members import managed
from commonroom.web.redirects import redirect
from commonroom.web.render import render
from commonroom.web.request import Request


@get("/act-as", opt=needs(Need.SIGNED_IN))
async def who_is_here(request: Request) -> Response[Any]:
    """Everybody who may sit here, to choose from."""
    return render(request, "people/act_as.html", members=await managed(request))


@post("/act-as", opt=needs(Need.SIGNED_IN), status_code=200)
async def act_as(request: Request, data: Sent[ActForm]) -> Response[Any]:
    """Acts for a member from now on, or for oneself again."""
    member = None
    if data.member_id:
        person = request.person
        member = await profiles.managed_by(request.store, person, data.member_id)
    answer = redirect("/", "acting" if member is not None else "acting-stopped")
    keep_acting(request, answer, member)
    return answer
