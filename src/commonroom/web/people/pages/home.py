"""The front door and the home behind it."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from commonroom.accounts.service.signing_up import is_set_up
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, caller_in, sign_up_mode, store_of
from commonroom.web.people.cookies import keep_theme
from commonroom.web.people.forms import EMPTY, Sent, ThemeForm
from commonroom.web.people.going_on import where_from
from commonroom.web.rendering import page, redirect
from commonroom.web.times import part_of_day


@get("/", opt=needs(Need.ANYONE))
async def front_door(request: AnyRequest) -> Response[Any]:
    """Home for whoever is known; a welcome for everybody else."""
    caller = caller_in(request)
    if caller.account is not None:
        return page(request, "people/home.html", time_of_day=part_of_day(caller.account))
    if not await is_set_up(store_of(request)):
        return redirect("/setup")
    mode = sign_up_mode(request)
    return page(request, "people/welcome.html", form=EMPTY, next="", mode=mode)


@post("/theme", opt=needs(Need.ANYONE), status_code=200, sync_to_thread=False)
def choose_theme(request: AnyRequest, data: Sent[ThemeForm]) -> Response[Any]:
    """Light, dark, or as the device says."""
    answer = redirect(where_from(request))
    keep_theme(request, answer, data.theme)
    return answer
