"""A link into a household: what anybody may see of it, and joining."""

from __future__ import annotations

import time
from typing import Any, Literal, TypeAlias

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.errors import CommonroomError, Conflict
from commonroom.movienight.pages.households import ROOM
from commonroom.movienight.service import inviting
from commonroom.movienight.tables import Group
from commonroom.web.access import Need, needs
from commonroom.web.authentication import Caller
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

HERE = "/join/{token:str}"
TEMPLATE = "movienight/join.html"

Standing: TypeAlias = Literal["guest", "acting", "here", "elsewhere", "free"]
"""How whoever asks stands to the household of a link."""


@get(HERE, opt=needs(Need.ANYONE))
async def invited(request: Request, token: FromPath[str]) -> Response[Any]:
    """The name and size of the household, and what to do."""
    group = await inviting.invited_to(request.store, time.time(), token)
    return render(request, TEMPLATE, **_context(request, group, token, EMPTY))


@post(HERE, opt=needs(Need.THEMSELVES), status_code=200)
async def join(request: Request, token: FromPath[str]) -> Response[Any]:
    """Joins the household."""
    store, now = request.store, time.time()
    try:
        await inviting.join(store, now, request.person, token)
    except Conflict as error:
        return await _refused(request, token, error)
    return redirect(ROOM, "household-joined")


async def _refused(request: Request, token: str, error: CommonroomError) -> Response[Any]:
    """The link as it is now, which says why it could not be used."""
    group = await inviting.invited_to(request.store, time.time(), token)
    context = _context(request, group, token, Filled(wrong_altogether=error.detail))
    return render_refused(request, TEMPLATE, error, **context)


def _context(request: Request, group: Group, token: str, form: Filled) -> dict[str, Any]:
    return {
        "seen": inviting.preview_of(group),
        "standing": _standing(request.caller, group),
        "token": token,
        "mode": request.settings.sign_up,
        "form": form,
    }


def _standing(caller: Caller, group: Group) -> Standing:
    if caller.account is None:
        return "guest"
    if caller.account.household_id == group.group_id:
        return "here"
    if caller.acting_as is not None:
        return "acting"
    return "free" if caller.account.household_id is None else "elsewhere"


HANDLERS = [invited, join]
