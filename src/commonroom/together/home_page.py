"""The home page: what is up with us; for guests, the front door."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from commonroom.accounts.pages.welcome import show_welcome
from commonroom.accounts.service.first_steps import put_steps_aside
from commonroom.http.access import Need, needs
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Pages
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.render import render
from commonroom.http.request import NOW, Request
from commonroom.http.times import part_of_day
from commonroom.joins.first_steps import FirstStep
from commonroom.joins.rooms import open_rooms
from commonroom.together.home import home_version, load_home
from commonroom.together.steps import steps_left, unused_rooms

HERE = "/home"
"""Below this is what belongs to home; home itself is at `/`."""


pages = Pages()


@pages.page("/", Need.ANYONE)
async def show_home(request: Request) -> Response[Any]:
    """Shows home to a known person; a welcome to everybody else.

    At most ten requests, with all rooms and none growing; two more to recognise the caller.
    """
    caller = request.caller
    if caller.account is None:
        return await show_welcome(request)
    rooms = open_rooms(request)
    steps = steps_left(caller, rooms, request.now)
    unused = unused_rooms(caller, rooms)
    return render(
        request,
        "together/home.html",
        home=await load_home(request),
        time_of_day=part_of_day(caller.account),
        steps=steps,
        # What a step leads to needs no second way there.
        unused=[room for room in unused if not {*room.offered(FirstStep)} & {*steps}],
        is_empty=len(unused) == sum(room.address is not None for room in rooms),
    )


@get(f"{HERE}/live", opt=needs(Need.SIGNED_IN), sync_to_thread=False)
def home_changes(request: Request) -> LiveUpdates:
    """The version of home, now and whenever something on it changes."""
    caller = request.caller
    topic = f"home#{caller.person.user_id}#{caller.member.user_id}"

    # Of its own: who asks is looked up anew in the other one now and then.
    asked = Request({**request.scope, "state": dict(request.scope["state"])})

    async def version() -> str:
        asked.scope["state"].pop(NOW, None)
        return await home_version(asked)

    return LiveUpdates(topic, version)


@pages.form(f"{HERE}/steps", Need.NOT_ACTING, flash="steps-aside")
async def put_aside(ctx: Ctx) -> None:
    """Puts a newcomer's first steps aside."""
    await put_steps_aside(ctx)


pages.include(home_changes)
