"""The front door and the home behind it."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from commonroom.accounts.service.signup import is_set_up
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Sent
from commonroom.web.people.cookies import keep_theme
from commonroom.web.people.forms import ThemeForm
from commonroom.web.redirects import redirect, referring_path
from commonroom.web.render import render
from commonroom.web.request import Request
from commonroom.web.times import part_of_day


@get("/", opt=needs(Need.ANYONE))
async def front_door(request: Request) -> Response[Any]:
    """Home for whoever is known; a welcome for everybody else."""
    caller = request.caller
    if caller.account is not None:
        return render(request, "people/home.html", time_of_day=part_of_day(caller.account))
    if not await is_set_up(request.store):
        return redirect("/setup")
    mode = request.settings.sign_up
    return render(request, "people/welcome.html", form=EMPTY, next="", mode=mode)


@post("/theme", opt=needs(Need.ANYONE), status_code=200, sync_to_thread=False)
def choose_theme(request: Request, data: Sent[ThemeForm]) -> Response[Any]:
    """Light, dark, or as the device says."""
    answer = redirect(referring_path(request))
    keep_theme(request, answer, data.theme)
    return answer
