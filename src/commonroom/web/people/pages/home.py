"""The front door and the home behind it."""

from __future__ import annotations

from typing import Any, Literal

from litestar import Response

from commonroom.accounts.service.signup import is_set_up
from commonroom.web.access import Need
from commonroom.web.forms import EMPTY, Form, form, handlers, page
from commonroom.web.people.cookies import keep_theme
from commonroom.web.redirects import redirect, referring_path
from commonroom.web.render import render
from commonroom.web.request import Request
from commonroom.web.times import part_of_day


class ThemeForm(Form):
    """Light or dark, or as the device says."""

    theme: Literal["light", "dark", "auto"]


@page("/", Need.ANYONE)
async def show_home(request: Request) -> Response[Any]:
    """Home for whoever is known; a welcome for everybody else."""
    caller = request.caller
    if caller.account is not None:
        return render(request, "people/home.html", time_of_day=part_of_day(caller.account))
    if not await is_set_up(request.store):
        return redirect("/setup")
    mode = request.settings.sign_up
    return render(request, "people/welcome.html", form=EMPTY, next="", mode=mode)


@form("/theme", Need.ANYONE)
async def choose_theme(request: Request, data: ThemeForm) -> Response[Any]:
    """Light, dark, or as the device says."""
    response = redirect(referring_path(request))
    keep_theme(request, response, data.theme)
    return response


@page("/offline", Need.ANYONE)
async def show_offline(request: Request) -> Response[Any]:
    """What is shown without a connection instead of a page that this browser has never seen."""
    return render(request, "offline.html")


HANDLERS = handlers(show_home, choose_theme, show_offline)
