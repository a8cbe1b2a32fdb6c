"""The front door: what guests see at `/`, and what every page offers."""

from __future__ import annotations

from typing import Any, Literal

from commonroom.accounts.cookies import keep_theme
from commonroom.accounts.service.signup import is_set_up
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, Pages
from commonroom.http.redirects import redirect, referring_path
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response

pages = Pages()


class ThemeForm(Form):
    """Light or dark, or as the device says."""

    theme: Literal["light", "dark", "auto"]


async def show_welcome(request: Request) -> Response[Any]:
    """Welcomes an unknown visitor; the first one sets everything up."""
    if not await is_set_up(request.store):
        return redirect("/setup")
    mode = request.settings.sign_up
    return render(request, "people/welcome.html", form=EMPTY, next="", mode=mode)


@pages.form("/theme", Need.ANYONE)
async def choose_theme(request: Request, data: ThemeForm) -> Response[Any]:
    """Light, dark, or as the device says."""
    response = redirect(referring_path(request))
    keep_theme(request, response, data.theme)
    return response


@pages.page("/offline", Need.ANYONE)
async def show_offline(request: Request) -> Response[Any]:
    """What is shown without a connection instead of a page that this browser has never seen."""
    return render(request, "offline.html")
