"""The guest link: for managers of a hangout, and for visitors who come with it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.errors import BadRequest
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.api.rsvps import GuestRsvpGiven, People, answer
from commonroom.hangouts.api.time_and_place import Epoch, Time, VenueView, time_view, venue_of
from commonroom.hangouts.request import GuestVisitor, Links
from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.service import guests
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.hangouts.service.guests import GuestLinks
from commonroom.hangouts.tables import Momentum, RsvpStatus
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, Header
from commonroom.http.bodies import Body
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.projections import Through, projection
from commonroom.http.responses import JsonResponse

LINK = "/guest-links/{token:str}"
ANSWERS = f"{LINK}/rsvps"
MINE = f"{ANSWERS}/mine"
CODE = Header("X-Answer-Code", "The `change_code` of the caller’s answer.", longest=200)

HeldCode: TypeAlias = Annotated[str | None, CODE]


api = Operations("Hangouts: guests", errors=(404, 409, 429))


class GuestLinkGiven(Body):
    """Whether a hangout is open to visitors with its link."""

    is_open: bool
    shows_people: Annotated[bool, Meta(description="Whether guests see who comes.")] = True


class GuestLinkView(Struct, frozen=True):
    """The link for people without an account."""

    is_open: bool
    shows_people: bool
    path: Annotated[str | None, Meta(description="Where it leads; null while it is closed.")]


class GuestView(Struct, frozen=True, kw_only=True):
    """A hangout as guests see it."""

    title: str
    invited_by: Annotated[
        str | None, Meta(description="The maker’s name; null where they have left.")
    ]
    description: str | None
    link: str | None
    picture: str | None
    time: Time | None
    start_timestamp: Epoch | None
    end_timestamp: Epoch | None
    place: VenueView | None
    cancelled_at: Moment | None
    momentum: Momentum
    going_count: People
    interested_count: People
    waiting_count: People
    place_limit: int | None
    going: Annotated[
        list[str] | None, Meta(description="Who comes; null where guests do not see that.")
    ]


class GuestRsvpView(Struct, frozen=True, kw_only=True):
    """A guest’s own answer."""

    name: str
    status: RsvpStatus
    is_waiting: bool
    note: str | None
    plus_guests: int
    change_code: Annotated[
        str | None, Meta(description="Changes the answer later; shown once, when it is given.")
    ] = None


def guest_link(links: GuestLinks, hangout: tables.Hangout) -> GuestLinkView:
    """Returns the guest link as managers of a hangout see it."""
    link, token = hangout.guest_link, links.token(hangout)
    if link is None or token is None:
        return GuestLinkView(False, link is None or link.shows_people, None)
    return GuestLinkView(True, link.shows_people, f"/h/{token}")


class GuestSight(Struct, frozen=True):
    """What guests see a hangout with."""

    now: float
    things: HangoutThings
    invited_by: str | None


def _going(hangout: tables.Hangout, seen: GuestSight) -> list[str] | None:
    link = hangout.guest_link
    if link is None or not link.shows_people:
        return None
    waiting = {one.answer_id for one in hangout.waiting}
    shown = [answer(one, waiting) for one in seen.things.answers]
    return [one.name for one in shown if one.status == "GOING" and not one.is_waiting and one.name]


guest_view = projection(
    tables.Hangout,
    GuestView,
    GuestSight,
    invited_by=lambda _, seen: seen.invited_by,
    time=Through(time_view),
    place=venue_of,
    momentum=lambda hangout, seen: momentum(hangout, seen.now),
    going=_going,
)
guest_rsvp_view = projection(
    guests.GuestRsvpOutcome,
    GuestRsvpView,
    name="rsvp.name",
    status="rsvp.status",
    note="rsvp.note",
    plus_guests="rsvp.plus_guests",
)


@api.put(f"{addresses.HANGOUT}/guest-link", Need.NOT_ACTING)
async def set_guest_link(
    ctx: Ctx, links: Links, hangout_id: str, given: GuestLinkGiven
) -> GuestLinkView:
    """Open a hangout to visitors with its link, or close it.

    A link that was closed stays so: one that is opened again leads elsewhere.
    """
    changed = await guests.set_guest_link(
        ctx, hangout_id, is_open=given.is_open, shows_people=given.shows_people
    )
    return guest_link(links, changed)


@api.get(LINK, Need.ANYONE, errors=(304, 404))
async def get_hangout_as_guest(
    visitor: GuestVisitor, if_none_match: IfNoneMatch
) -> JsonResponse[GuestView]:
    """Get the hangout of a guest link, as its maker lets guests see it."""
    seen = await guests.see_as_guest(visitor)
    maker = await guests.maker_name(visitor.store, seen)
    shown = guest_view(seen.hangout, GuestSight(visitor.now, seen, maker))
    return tagged(shown, unless=if_none_match)


@api.post(ANSWERS, Need.ANYONE, repeatable=True)
async def answer_as_guest(visitor: GuestVisitor, given: GuestRsvpGiven) -> GuestRsvpView:
    """Answer a hangout with a name; `change_code` is shown once, and changes the answer later."""
    return guest_rsvp_view(await guests.answer_as_guest(visitor, given))


@api.get(MINE, Need.ANYONE, errors=(404,))
async def get_answer_as_guest(visitor: GuestVisitor, code: HeldCode) -> GuestRsvpView:
    """Get the answer that belongs to a code."""
    return guest_rsvp_view(await guests.own_rsvp(visitor, _code(code)))


@api.put(MINE, Need.ANYONE)
async def change_answer_as_guest(
    visitor: GuestVisitor, code: HeldCode, given: GuestRsvpGiven
) -> GuestRsvpView:
    """Change the answer that belongs to a code."""
    done = await guests.change_as_guest(visitor, _code(code), given)
    return guest_rsvp_view(done)


@api.delete(MINE, Need.ANYONE)
async def withdraw_answer_as_guest(visitor: GuestVisitor, code: HeldCode) -> None:
    """Take the answer that belongs to a code back."""
    await guests.change_as_guest(visitor, _code(code), None)


def _code(held: str | None) -> str:
    if not held or len(held) > CODE.longest:
        raise BadRequest("Send the code you were given with your answer.", field=CODE.name)
    return held
