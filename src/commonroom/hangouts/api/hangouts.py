"""Hangouts: floated or locked in, changed, cancelled, confirmed, and who is invited."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.api import bring_list, carpool, offers, polls, talk, tickets
from commonroom.hangouts.api.guests import GuestLinkView, guest_link
from commonroom.hangouts.api.lists import HangoutView, maker_of
from commonroom.hangouts.api.rsvps import RsvpView, answer
from commonroom.hangouts.api.series import RepetitionGiven, RepetitionView, repetition_view
from commonroom.hangouts.api.time_and_place import (
    PlaceGiven,
    TimeGiven,
    plain,
    time_view,
    venue_of,
)
from commonroom.hangouts.request import member_of, visible_links_of
from commonroom.hangouts.rules import hangouts as rules
from commonroom.hangouts.rules.attendance import MAX_PLACES
from commonroom.hangouts.rules.fields import Id, Link, Picture, Title, Version
from commonroom.hangouts.rules.momentum import is_quiet, momentum
from commonroom.hangouts.rules.rsvps import waits
from commonroom.hangouts.rules.tickets import Price
from commonroom.hangouts.service import edits, series
from commonroom.hangouts.service import hangouts as service
from commonroom.hangouts.service import tickets as ticket_service
from commonroom.hangouts.service.detail import HangoutDetail, see_hangout
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.guests import GuestLinks
from commonroom.hangouts.tables import RsvpStatus, Visibility
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, From
from commonroom.http.bodies import Body, sent_fields
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.projections import Through, projection
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.joins.acquaintances import acquainted
from commonroom.moments import known

INVITATIONS = f"{addresses.HANGOUT}/invitations"

Description: TypeAlias = Annotated[
    str,
    Meta(
        max_length=20_000,
        description=f"Markdown, at most {rules.MAX_DESCRIPTION} characters.",
    ),
]
Places: TypeAlias = Annotated[
    int, Meta(description=f"How many people there are places for, 1 to {MAX_PLACES}.")
]
GroupIds: TypeAlias = Annotated[
    list[Id],
    Meta(
        max_length=100,
        description=f"At most {rules.MAX_GROUPS}; the maker is a member of all of them.",
    ),
]
Email: TypeAlias = Annotated[
    str, Meta(max_length=1000, description="The e-mail address of someone with an account here.")
]


api = Operations("Hangouts: hangouts", errors=(404, 409, 429))


class NewHangout(Body):
    """A hangout to be."""

    title: Title
    description: Description | None = None
    link: Link | None = None
    picture: Picture | None = None
    time: Annotated[TimeGiven | None, Meta(description="Null: it floats, and needs a day.")] = None
    place: PlaceGiven | None = None
    place_limit: Places | None = None
    visibility: Visibility = "INVITE_ONLY"
    group_ids: GroupIds = field(default_factory=list)
    invited_user_ids: Annotated[
        list[Id], Meta(max_length=100, description="At most 10 at once.")
    ] = field(default_factory=list)
    is_on: Annotated[
        bool,
        Meta(
            description="Locked in: it is on, and its maker goes. Otherwise it is floated: a "
            "suggestion, and its maker is interested."
        ),
    ] = False
    repetition: Annotated[
        RepetitionGiven | None, Meta(description="How it repeats; it needs a day for that.")
    ] = None
    parts: Annotated[
        list[Annotated[str, Meta(max_length=1000)]],
        Meta(
            max_length=1000,
            description="Of a watch party: 2 to 100 titles, one for each time. Where a time is "
            "cancelled, the titles move on; the series ends with the last.",
        ),
    ] = field(default_factory=list)


class HangoutChange(Body):
    """Changes of a hangout; what is left out stays as it is, null clears it."""

    version: Version
    title: Title | UnsetType = UNSET
    description: Description | UnsetType | None = UNSET
    link: Link | UnsetType | None = UNSET
    picture: Picture | UnsetType | None = UNSET
    time: TimeGiven | UnsetType | None = UNSET
    place: PlaceGiven | UnsetType | None = UNSET
    place_limit: Places | UnsetType | None = UNSET
    visibility: Visibility | UnsetType = UNSET
    group_ids: GroupIds | UnsetType = UNSET
    scope: Annotated[
        Literal["this", "following"],
        Meta(
            description="Of a hangout that repeats: this one alone, or all that follow as well, "
            "but for what was changed on one of them. These change within seconds."
        ),
    ] = "this"


class DirectInvitation(Body):
    """A person to invite directly."""

    email: Email


class TicketSource(Body):
    """Where tickets are to be had."""

    link: Link | None = None
    price: Annotated[Price | None, Meta(description="In any words: “about 25 €”.")] = None


class Invited(Struct, frozen=True):
    """A person who was invited directly."""

    user_id: str
    name: str


class WholeHangout(HangoutView, frozen=True, kw_only=True):
    """A hangout with everything on it."""

    description: str | None
    link: str | None
    occurrence: Annotated[
        str | None,
        Meta(description="The date in its series that it stands for, wherever it was moved."),
    ]
    repetition: Annotated[RepetitionView | None, Meta(description="How its series repeats.")]
    part: Annotated[
        int | None,
        Meta(description="The number of its title, from 0 on, where its series is a watch party."),
    ]
    parts: Annotated[list[str], Meta(description="The titles of a watch party, in order.")]
    waiting: Annotated[list[str], Meta(description="The answers that wait, in order.")]
    answers: list[RsvpView]
    polls: list[polls.WholePoll]
    bring_list: list[bring_list.WholeBringItem]
    invited: list[Invited]
    cars: list[carpool.FullCar]
    needed_rides: Annotated[list[carpool.RideView], Meta(description="Who needs a ride.")]
    ticket_link: Annotated[str | None, Meta(description="Where tickets are to be had.")]
    ticket_price: str | None
    tickets: list[tickets.TicketView]
    offers: list[offers.FullOffer]
    messages: Annotated[
        list[talk.TalkMessageView],
        Meta(description="The newest; earlier ones have their own list."),
    ]
    message_count: int
    may_edit: bool
    may_manage: bool
    guest_link: Annotated[
        GuestLinkView | None,
        Meta(
            description=(
                "Null to who may not manage it, to a token that may only read, and to a "
                "managed member."
            )
        ),
    ]


def draft(new: NewHangout) -> HangoutDraft:
    """Returns a new hangout as services take it."""
    return HangoutDraft(**plain(msgspec.structs.asdict(new)))


def changes(change: HangoutChange) -> dict[str, Any]:
    """Returns what an edit changes, without what was left out."""
    return plain(sent_fields(change, "version", "scope"))


class HangoutSight(Struct, frozen=True):
    """What one of those sees a hangout with who may have it; its guest link only with `links`."""

    now: float
    links: GuestLinks | None
    detail: HangoutDetail

    @property
    def waiting(self) -> list[str]:
        """The answers that wait, in order."""
        return [party.answer_id for party in self.detail.hangout.waiting]


def _my_status(_: tables.Hangout, seen: HangoutSight) -> RsvpStatus | None:
    mine = seen.detail.own_rsvp
    return None if mine is None else mine.status


def _repetition(_: tables.Hangout, seen: HangoutSight) -> RepetitionView | None:
    series = seen.detail.series
    return None if series is None else repetition_view(series.repetition)


def _parts(_: tables.Hangout, seen: HangoutSight) -> list[str]:
    return [] if seen.detail.series is None else seen.detail.series.parts


def _answers(_: tables.Hangout, seen: HangoutSight) -> list[RsvpView]:
    waiting = seen.waiting
    return [answer(one, waiting) for one in seen.detail.things.answers]


def _invited(hangout: tables.Hangout, seen: HangoutSight) -> list[Invited]:
    others = [one for one in seen.detail.invited if one.user_id != hangout.created_by]
    return [Invited(one.user_id, one.display_name) for one in others]


def _guest_link(hangout: tables.Hangout, seen: HangoutSight) -> GuestLinkView | None:
    if seen.links is None or not seen.detail.access.standing.may_manage:
        return None
    return guest_link(seen.links, hangout)


whole_hangout = projection(
    tables.Hangout,
    WholeHangout,
    HangoutSight,
    time=Through(time_view),
    place=lambda one, seen: venue_of(one, seen.detail.own_rsvp, seen.detail.member.user_id),
    created_by=maker_of,
    made_by=lambda _, seen: seen.detail.made_by,
    created_at=lambda one: known(one.created_at),
    momentum=lambda one, seen: momentum(one, seen.now),
    is_quiet=lambda one, seen: is_quiet(one, seen.now),
    my_status=_my_status,
    is_waiting=lambda one, seen: waits(one, seen.detail.own_rsvp),
    repetition=_repetition,
    parts=_parts,
    waiting=lambda _, seen: seen.waiting,
    answers=_answers,
    polls=lambda _, seen: polls.polls_of(seen.detail.things, seen.now),
    bring_list=lambda _, seen: bring_list.items_of(seen.detail.things),
    invited=_invited,
    cars=lambda _, seen: carpool.cars_of(seen.detail.things),
    needed_rides=lambda _, seen: carpool.needed_rides(seen.detail.things),
    tickets=lambda _, seen: tickets.tickets_of(seen.detail.things),
    offers=lambda _, seen: offers.offers_of(seen.detail.things),
    messages=lambda _, seen: talk.newest_messages(seen.detail.things),
    may_edit=lambda _, seen: seen.detail.access.standing.may_edit,
    may_manage=lambda _, seen: seen.detail.access.standing.may_manage,
    guest_link=_guest_link,
)


class HangoutReader(Struct, frozen=True):
    """The caller, who is shown hangouts with everything on them."""

    ctx: Context
    member: User
    links: GuestLinks | None

    async def show(
        self, hangout_id: str, *, status: int | None = None, unless: str | None = None
    ) -> JsonResponse[WholeHangout]:
        """Returns a hangout as the caller sees it."""
        seen = await see_hangout(self.ctx, self.member, hangout_id)
        view = whole_hangout(seen.hangout, HangoutSight(self.ctx.now, self.links, seen))
        return tagged(view, status=status, unless=unless)


def _reader_of(request: Request) -> HangoutReader:
    return HangoutReader(request.context, member_of(request), visible_links_of(request))


Reader: TypeAlias = Annotated[HangoutReader, From(_reader_of)]


@api.post(addresses.ROOM, Need.NOT_ACTING, errors=(409, 429))
async def create_hangout(
    request: Request, reader: Reader, new: NewHangout
) -> JsonResponse[WholeHangout]:
    """Float a hangout, or lock it in.

    A floated one is a suggestion, and its maker is interested; one that is locked in is on, and its
    maker goes. Invited by their id are people with whom the maker shares a group, a household or a
    list.
    """
    known = await acquainted(request, new.invited_user_ids)
    made = await service.create_hangout(reader.ctx, draft(new), acquainted=known)
    return await reader.show(made.hangout_id, status=201)


@api.get(addresses.HANGOUT, Need.SIGNED_IN, errors=(304, 404))
async def get_hangout(
    reader: Reader, hangout_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[WholeHangout]:
    """Get a hangout with everything on it."""
    return await reader.show(hangout_id, unless=if_none_match)


@api.patch(addresses.HANGOUT, Need.NOT_ACTING)
async def change_hangout(
    reader: Reader, hangout_id: str, change: HangoutChange
) -> JsonResponse[WholeHangout]:
    """Change a hangout; any member of its groups may.

    What is left out stays as it is, null clears it. Where it was changed since, 409 says
    in `version` which one there is now.
    """
    edit = series.change_following if change.scope == "following" else edits.change_hangout
    await edit(reader.ctx, hangout_id, changes(change), version=change.version)
    return await reader.show(hangout_id)


@api.delete(addresses.HANGOUT, Need.NOT_ACTING)
async def delete_hangout(ctx: Ctx, hangout_id: str) -> None:
    """Delete a hangout with everything on it; its maker and the admins of its groups may."""
    await service.delete_hangout(ctx, hangout_id)


@api.post(f"{addresses.HANGOUT}/cancel", Need.NOT_ACTING, status=200)
async def cancel_hangout(reader: Reader, hangout_id: str) -> JsonResponse[WholeHangout]:
    """Cancel a hangout, which stays visible; its maker and the admins of its groups may."""
    await service.cancel(reader.ctx, hangout_id)
    return await reader.show(hangout_id)


@api.post(f"{addresses.HANGOUT}/bring-back", Need.NOT_ACTING, status=200)
async def bring_hangout_back(reader: Reader, hangout_id: str) -> JsonResponse[WholeHangout]:
    """Bring a cancelled hangout back."""
    await service.bring_back(reader.ctx, hangout_id)
    return await reader.show(hangout_id)


@api.post(f"{addresses.HANGOUT}/confirm", Need.NOT_ACTING, status=200)
async def confirm_hangout(reader: Reader, hangout_id: str) -> JsonResponse[WholeHangout]:
    """Say that a hangout is on; any member of its groups may."""
    await service.confirm(reader.ctx, hangout_id)
    return await reader.show(hangout_id)


@api.post(f"{addresses.HANGOUT}/unconfirm", Need.NOT_ACTING, status=200)
async def unconfirm_hangout(reader: Reader, hangout_id: str) -> JsonResponse[WholeHangout]:
    """Take back that a hangout is on; from then on it is only confirmed by hand."""
    await service.unconfirm(reader.ctx, hangout_id)
    return await reader.show(hangout_id)


@api.post(INVITATIONS, Need.NOT_ACTING, status=200)
async def invite_to_hangout(
    request: Request, reader: Reader, hangout_id: str, wanted: DirectInvitation
) -> JsonResponse[WholeHangout]:
    """Invite a person with an account directly.

    Addresses without an account can only be tried so often.
    """
    await edits.invite(reader.ctx, hangout_id, wanted.email, asked_from=request.client_address)
    return await reader.show(hangout_id)


@api.delete(f"{INVITATIONS}/{{user_id:str}}", Need.NOT_ACTING)
async def uninvite_from_hangout(ctx: Ctx, hangout_id: str, user_id: str) -> None:
    """Take a direct invitation back; everybody can take their own back."""
    await edits.uninvite(ctx, hangout_id, user_id)


@api.tagged("Hangouts: tickets").put(f"{addresses.HANGOUT}/tickets", Need.NOT_ACTING)
async def describe_tickets(
    reader: Reader, hangout_id: str, given: TicketSource
) -> JsonResponse[WholeHangout]:
    """Say where tickets are to be had, and what they cost; any member of its groups may."""
    link, price = given.link, given.price
    await ticket_service.describe_tickets(reader.ctx, hangout_id, link=link, price=price)
    return await reader.show(hangout_id)
