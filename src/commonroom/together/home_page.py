"""The home page: what is up with us, and a newcomer's first steps; for guests, the front door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.accounts.pages.welcome import show_welcome
from commonroom.accounts.service.first_steps import put_steps_aside
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.authentication import Caller
from commonroom.http.forms import Pages
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.render import render
from commonroom.http.request import NOW, Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.times import part_of_day
from commonroom.http.words import lazy
from commonroom.joins.menus import FirstStep
from commonroom.joins.rooms import Room, offers_of, open_rooms
from commonroom.moments import elapsed, seconds
from commonroom.together.home import home_version, load_home

HERE = "/home"
"""Below this is what belongs to home; home itself is at `/`."""

NEWCOMER_SECONDS = 14 * 24 * 3600
"""After this nobody is a newcomer, whatever they have not done."""

TIME_ZONE = FirstStep(
    "time_zone",
    "/me",
    "clock",
    lazy("Set your time zone"),
    lazy("So that dates and times are right for you. You can also choose a picture."),
)
INVITE = FirstStep(
    "invite",
    "/admin/invitations",
    "letter",
    lazy("Invite someone"),
    lazy("Let your household and friends in with a link or a QR code."),
)
CHILD = FirstStep(
    "child",
    "/me/members",
    "family",
    lazy("Add a child"),
    lazy("They can take part without a login of their own."),
)


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


def steps_left(caller: Caller, rooms: Sequence[Room], now: float) -> list[FirstStep]:
    """Returns what a newcomer can still begin with; nothing for a managed member, and later on."""
    person = caller.person
    if caller.acting_as is not None or person.steps_done_at is not None:
        return []
    if elapsed(seconds(person.created_at), now) > NEWCOMER_SECONDS:
        return []
    wanted = {
        TIME_ZONE: not person.time_zone,
        **dict.fromkeys(offers_of(unused_rooms(caller, rooms), FirstStep), True),
        INVITE: person.is_admin and person.invited_at is None,
        CHILD: not person.managed_count,
    }
    return [step for step, is_open in wanted.items() if is_open]


def unused_rooms(caller: Caller, rooms: Sequence[Room]) -> list[Room]:
    """Returns the rooms that hold nothing of a person's; none for a managed member."""
    if caller.acting_as is not None:
        return []
    used = caller.person.opened_rooms
    return [room for room in rooms if room.address and room.key not in used]


@get(f"{HERE}/live", Need.SIGNED_IN)
async def home_changes(request: Request) -> LiveUpdates:
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
