"""Who sits at the screen: oneself, or one of the members one manages."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from commonroom.accounts.service import profiles
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, person_in, store_of
from commonroom.web.people.cookies import keep_acting
from commonroom.web.people.forms import ActForm, Sent
from commonroom.web.people.pages.members import managed
from commonroom.web.rendering import page, redirect


@get("/act-as", opt=needs(Need.SIGNED_IN))
async def who_is_here(request: AnyRequest) -> Response[Any]:
    """Everybody who may sit here, to choose from."""
    return page(request, "people/act_as.html", members=await managed(request))


@post("/act-as", opt=needs(Need.SIGNED_IN), status_code=200)
async def act_as(request: AnyRequest, data: Sent[ActForm]) -> Response[Any]:
    """Acts for a member from now on, or for oneself again."""
    member = None
    if data.member_id:
        person = person_in(request)
        member = await profiles.managed_by(store_of(request), person, data.member_id)
    answer = redirect("/", "acting" if member is not None else "acting-stopped")
    keep_acting(request, answer, member)
    return answer
