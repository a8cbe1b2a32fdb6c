"""Who is watching: letting somebody in who comes late, and out again."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, Forbidden, NotFound, Refusal
from commonroom.movienight.pages.asking import films_in, seat_in
from commonroom.movienight.pages.evenings import ONE, Evening, address_of
from commonroom.movienight.pages.steps import evening_in
from commonroom.movienight.rules.rounds import may_change_attendee
from commonroom.movienight.service.members import members_of
from commonroom.movienight.service.rounds import attending
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled, Form, Line, Sent
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

HERE = f"{ONE}/attendees"
TEMPLATE = "movienight/round_attendees.html"


class AttendeeForm(Form):
    """Somebody in the household."""

    member_id: Line


class Candidate(Struct, frozen=True):
    """Somebody who takes part, or could."""

    user: User
    takes_part: bool
    has_voted: bool
    may_change: bool
    """Whether whoever asks can change that."""


@get(HERE, opt=needs(Need.SIGNED_IN))
async def attendees(request: Request, round_id: FromPath[str]) -> Response[Any]:
    """Everybody in the household; the round itself where nobody can come or go any more."""
    seat = await seat_in(request)
    evening = await evening_in(request, seat, round_id)
    if "attendees" not in evening.may:
        return redirect(address_of(round_id))
    return render(request, TEMPLATE, form=EMPTY, **await _context(request, seat, evening))


@post(f"{HERE}/add", opt=needs(Need.SIGNED_IN), status_code=200)
async def add(request: Request, round_id: FromPath[str], data: Sent[AttendeeForm]) -> Response[Any]:
    """Lets one more take part."""
    seat, store, films = await seat_in(request), request.store, films_in(request)
    doing = attending.add_attendee(store, time.time(), films, seat, round_id, data.member_id)
    return await _done(request, seat, round_id, doing, "attendee-added")


@post(f"{HERE}/remove", opt=needs(Need.SIGNED_IN), status_code=200)
async def remove(
    request: Request, round_id: FromPath[str], data: Sent[AttendeeForm]
) -> Response[Any]:
    """Takes somebody out, with their votes."""
    seat, store, films = await seat_in(request), request.store, films_in(request)
    doing = attending.remove_attendee(store, time.time(), films, seat, round_id, data.member_id)
    return await _done(request, seat, round_id, doing, "attendee-removed")


@get([f"{HERE}/add", f"{HERE}/remove"], opt=needs(Need.SIGNED_IN), sync_to_thread=False)
def back_to_attendees(request: Request, round_id: FromPath[str]) -> Response[Any]:  # noqa: ARG001 - asked of nobody
    """Where a page leads that was shown because a change was refused."""
    return redirect(f"{address_of(round_id)}/attendees")


async def _done(
    request: Request, seat: Seat, round_id: str, doing: Awaitable[None], say: str
) -> Response[Any]:
    try:
        await doing
    except (NotFound, Forbidden):
        raise
    except Refusal as refusal:
        return await _refused(request, seat, round_id, refusal)
    return redirect(f"{address_of(round_id)}/attendees", say)


async def _refused(
    request: Request, seat: Seat, round_id: str, refusal: CommonroomError
) -> Response[Any]:
    context = await _context(request, seat, await evening_in(request, seat, round_id))
    return render_refused(
        request, TEMPLATE, refusal, form=Filled(wrong_altogether=refusal.detail), **context
    )


async def _context(request: Request, seat: Seat, evening: Evening) -> dict[str, Any]:
    faces = {one.member_id: one for one in evening.faces}
    return {
        "evening": evening,
        "candidates": [
            Candidate(
                one.user,
                takes_part=one.user_id in faces,
                has_voted=one.user_id in faces and faces[one.user_id].voted,
                may_change=may_change_attendee(
                    seat.member_id, evening.round, seat.group.created_by, one.user
                ),
            )
            for one in await members_of(request.store, seat.group_id)
            if one.user is not None and not one.is_gone
        ],
    }


HANDLERS = [attendees, add, remove, back_to_attendees]
