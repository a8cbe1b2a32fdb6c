"""The guest link: for managers of a hangout, and for visitors who come with it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from commonroom.errors import BadRequest
from commonroom.hangouts.api import views
from commonroom.hangouts.api.bodies import GuestLinkGiven, GuestRsvpGiven, guest_answer
from commonroom.hangouts.api.hangouts import ONE
from commonroom.hangouts.request import GuestVisitor, Links
from commonroom.hangouts.service import guests
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, Header
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.responses import JsonResponse

LINK = "/guest-links/{token:str}"
ANSWERS = f"{LINK}/rsvps"
MINE = f"{ANSWERS}/mine"
CODE = Header("X-Answer-Code", "The `change_code` of the caller’s answer.", longest=200)

HeldCode: TypeAlias = Annotated[str | None, CODE]


api = Operations("Hangouts: guests", errors=(404, 409, 429))


@api.put(f"{ONE}/guest-link", Need.NOT_ACTING)
async def set_guest_link(
    ctx: Ctx, links: Links, hangout_id: str, given: GuestLinkGiven
) -> views.GuestLinkView:
    """Open a hangout to visitors with its link, or close it.

    A link that was closed stays so: one that is opened again leads elsewhere.
    """
    changed = await guests.set_guest_link(
        ctx, hangout_id, is_open=given.is_open, shows_people=given.shows_people
    )
    return views.guest_link(links, changed)


@api.get(LINK, Need.ANYONE, errors=(304, 404))
async def get_hangout_as_guest(
    visitor: GuestVisitor, if_none_match: IfNoneMatch
) -> JsonResponse[views.GuestView]:
    """Get the hangout of a guest link, as its maker lets guests see it."""
    seen = await guests.see_as_guest(visitor)
    shown = views.for_guests(visitor.now, seen, await guests.maker_name(visitor.store, seen))
    return tagged(shown, unless=if_none_match)


@api.post(ANSWERS, Need.ANYONE, repeatable=True)
async def answer_as_guest(visitor: GuestVisitor, given: GuestRsvpGiven) -> views.GuestRsvpView:
    """Answer a hangout with a name; `change_code` is shown once, and changes the answer later."""
    return views.guest_answer(await guests.answer_as_guest(visitor, guest_answer(given)))


@api.get(MINE, Need.ANYONE, errors=(404,))
async def get_answer_as_guest(visitor: GuestVisitor, code: HeldCode) -> views.GuestRsvpView:
    """Get the answer that belongs to a code."""
    return views.guest_answer(await guests.own_rsvp(visitor, _code(code)))


@api.put(MINE, Need.ANYONE)
async def change_answer_as_guest(
    visitor: GuestVisitor, code: HeldCode, given: GuestRsvpGiven
) -> views.GuestRsvpView:
    """Change the answer that belongs to a code."""
    done = await guests.change_as_guest(visitor, _code(code), guest_answer(given))
    return views.guest_answer(done)


@api.delete(MINE, Need.ANYONE)
async def withdraw_answer_as_guest(visitor: GuestVisitor, code: HeldCode) -> None:
    """Take the answer that belongs to a code back."""
    await guests.change_as_guest(visitor, _code(code), None)


def _code(held: str | None) -> str:
    if not held or len(held) > CODE.longest:
        raise BadRequest("Send the code you were given with your answer.", field=CODE.name)
    return held
