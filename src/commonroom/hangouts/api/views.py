"""What the API shows of hangouts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import tables
from commonroom.hangouts.api import plan_views
from commonroom.hangouts.api.bring_list_views import WholeBringItem, whole_bring_item
from commonroom.hangouts.api.poll_views import WholePoll, whole_poll
from commonroom.hangouts.api.series_views import RepetitionView, repetition_view
from commonroom.hangouts.api.time_and_place import Epoch, Time, VenueView, place_view, time_view
from commonroom.hangouts.rules.momentum import is_quiet, momentum
from commonroom.hangouts.rules.places import sees_notes, shown_place
from commonroom.hangouts.service.detail import HangoutDetail, HangoutThings
from commonroom.hangouts.service.guests import GuestLinks, GuestRsvpOutcome
from commonroom.hangouts.service.listing import HangoutRow
from commonroom.hangouts.tables import (
    NOBODY,
    GuestRsvp,
    HangoutSummary,
    Momentum,
    Rsvp,
    RsvpStatus,
    Visibility,
)
from commonroom.moments import known

People: TypeAlias = Annotated[int, Meta(description="People, not answers.")]


class HangoutView(Struct, frozen=True, kw_only=True):
    """A hangout as lists show it."""

    hangout_id: str
    title: str
    time: Annotated[Time | None, Meta(description="Null: it floats, and needs a day.")]
    start_timestamp: Epoch | None
    end_timestamp: Epoch | None
    place: VenueView | None
    picture: str | None
    visibility: Visibility
    group_ids: list[str]
    series_id: str | None
    created_by: str | None
    made_by: Annotated[str | None, Meta(description="Its maker’s name.")]
    created_at: Moment | None
    cancelled_at: Moment | None
    momentum: Momentum
    is_quiet: Annotated[
        bool, Meta(description="Whether a suggestion has had no answers for five days.")
    ]
    going_count: People
    interested_count: People
    not_going_count: People
    waiting_count: People
    place_limit: Annotated[int | None, Meta(description="How many people there are places for.")]
    my_status: RsvpStatus | None
    is_waiting: Annotated[bool, Meta(description="Whether the caller waits for a place.")]
    version: int


class RsvpView(Struct, frozen=True, kw_only=True):
    """A person’s answer."""

    answer_id: Annotated[str, Meta(description="The person, or the guest.")]
    name: str | None
    is_guest: Annotated[bool, Meta(description="Whether they have no account.")]
    status: RsvpStatus
    is_waiting: bool
    note: str | None
    plus_guests: int
    companion_ids: Annotated[list[str], Meta(description="Managed members who come along.")]
    comes_with: Annotated[str | None, Meta(description="In whose party a managed member is.")]
    updated_at: Moment


class GuestLinkView(Struct, frozen=True):
    """The link for people without an account."""

    is_open: bool
    shows_people: bool
    path: Annotated[str | None, Meta(description="Where it leads; null while it is closed.")]


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
    polls: list[WholePoll]
    bring_list: list[WholeBringItem]
    invited: list[Invited]
    cars: list[plan_views.FullCar]
    needed_rides: Annotated[list[plan_views.RideView], Meta(description="Who needs a ride.")]
    ticket_link: Annotated[str | None, Meta(description="Where tickets are to be had.")]
    ticket_price: str | None
    tickets: list[plan_views.TicketView]
    offers: list[plan_views.FullOffer]
    messages: Annotated[
        list[plan_views.TalkMessageView],
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


def list_item(now: float, one: HangoutRow) -> HangoutView:
    """Returns a hangout of a list. There are fifty at once, so nothing is made twice on the way."""
    row, mine, waiting = one.row, one.rsvp, one.row.waiting
    status, me = (None, "") if mine is None else (mine.status, mine.with_user_id or mine.user_id)
    return HangoutView(
        hangout_id=row.hangout_id,
        title=row.title,
        time=None if row.time is None else time_view(row.time),
        start_timestamp=row.start_timestamp,
        end_timestamp=row.end_timestamp,
        place=_venue_of(row, mine, "" if mine is None else mine.user_id),
        picture=row.picture,
        visibility=row.visibility,
        group_ids=row.group_ids,
        series_id=row.series_id,
        created_by=maker_of(row),
        made_by=one.made_by,
        created_at=known(row.created_at),
        cancelled_at=row.cancelled_at,
        momentum=momentum(row, now),
        is_quiet=is_quiet(row, now),
        going_count=row.going_count,
        interested_count=row.interested_count,
        not_going_count=row.not_going_count,
        waiting_count=row.waiting_count,
        place_limit=row.place_limit,
        my_status=status,
        is_waiting=bool(waiting) and any(party.answer_id == me for party in waiting),
        version=row.hangout_version,
    )


def maker_of(row: HangoutSummary) -> str | None:
    """Returns who made a hangout; None where nobody knows."""
    return None if row.created_by == NOBODY else row.created_by


def _venue_of(
    row: HangoutSummary, mine: Rsvp | GuestRsvp | None = None, reader_id: str = ""
) -> VenueView | None:
    """Returns where it is; what helps to find it, for its maker and those who go."""
    if row.place is None:
        return None
    is_in = sees_notes(row, reader_id, mine)
    return place_view(shown_place(row.place, with_notes=is_in) or row.place)


def _summary(now: float, row: HangoutSummary) -> dict[str, Any]:
    """Returns what the details of a hangout show as lists do."""
    return {
        "hangout_id": row.hangout_id,
        "title": row.title,
        "time": None if row.time is None else time_view(row.time),
        "start_timestamp": row.start_timestamp,
        "end_timestamp": row.end_timestamp,
        "place": _venue_of(row),
        "picture": row.picture,
        "visibility": row.visibility,
        "group_ids": row.group_ids,
        "series_id": row.series_id,
        "created_by": maker_of(row),
        "created_at": known(row.created_at),
        "cancelled_at": row.cancelled_at,
        "momentum": momentum(row, now),
        "is_quiet": is_quiet(row, now),
        "going_count": row.going_count,
        "interested_count": row.interested_count,
        "not_going_count": row.not_going_count,
        "waiting_count": row.waiting_count,
        "place_limit": row.place_limit,
    }


def whole(now: float, links: GuestLinks | None, one: HangoutDetail) -> WholeHangout:
    """A hangout as one of those sees it who may have it; its guest link only with `links`."""
    hangout, mine, standing = one.hangout, one.own_rsvp, one.access.standing
    waiting = [party.answer_id for party in hangout.waiting]
    me = None if mine is None else mine.with_user_id or mine.user_id
    ballots, claims = one.things.of(tables.Ballot), one.things.of(tables.BringClaim)
    return WholeHangout(
        **_summary(now, hangout) | {"place": _venue_of(hangout, mine, one.member.user_id)},
        made_by=one.made_by,
        my_status=None if mine is None else mine.status,
        is_waiting=me in waiting,
        version=hangout.version,
        description=hangout.description,
        link=hangout.link,
        occurrence=hangout.occurrence,
        repetition=None if one.series is None else repetition_view(one.series.repetition),
        part=one.hangout.part,
        parts=[] if one.series is None else one.series.parts,
        waiting=waiting,
        answers=[answer(given, waiting) for given in one.things.answers],
        polls=[whole_poll(now, poll, ballots) for poll in one.things.of(tables.HangoutPoll)],
        bring_list=[whole_bring_item(item, claims) for item in one.things.of(tables.BringItem)],
        invited=[
            Invited(user.user_id, user.display_name)
            for user in one.invited
            if user.user_id != hangout.created_by
        ],
        cars=plan_views.cars(one.things),
        needed_rides=plan_views.needed_rides(one.things),
        ticket_link=hangout.ticket_link,
        ticket_price=hangout.ticket_price,
        tickets=[plan_views.ticket(it) for it in one.things.of(tables.Ticket)],
        offers=plan_views.offers(one.things),
        messages=plan_views.newest_messages(one.things),
        message_count=hangout.message_count,
        may_edit=standing.may_edit,
        may_manage=standing.may_manage,
        guest_link=guest_link(links, hangout) if links and standing.may_manage else None,
    )


def answer(given: Rsvp | GuestRsvp, waiting: Collection[str]) -> RsvpView:
    """Returns an answer as everybody on the hangout sees it."""
    if isinstance(given, GuestRsvp):
        answer_id, name, companions, party = given.guest_id, given.name, [], None
    else:
        answer_id, name = given.user_id, given.user_name or ""
        companions, party = given.companion_ids, given.with_user_id
    return RsvpView(
        answer_id=answer_id,
        name=name or None,
        is_guest=isinstance(given, GuestRsvp),
        status=given.status,
        is_waiting=(party or answer_id) in waiting,
        note=given.note,
        plus_guests=given.plus_guests,
        companion_ids=companions,
        comes_with=party,
        updated_at=given.updated_at,
    )


def guest_link(links: GuestLinks, hangout: tables.Hangout) -> GuestLinkView:
    """Returns the guest link as managers of a hangout see it."""
    link, token = hangout.guest_link, links.token(hangout)
    if link is None or token is None:
        return GuestLinkView(False, link is None or link.shows_people, None)
    return GuestLinkView(True, link.shows_people, f"/h/{token}")


def for_guests(now: float, things: HangoutThings, invited_by: str | None) -> GuestView:
    """Returns a hangout as guests see it: who comes, only where its maker wants that."""
    hangout, link = things.hangout, things.hangout.guest_link
    waiting = {one.answer_id for one in hangout.waiting}
    seen = [answer(one, waiting) for one in things.answers]
    going = [one.name for one in seen if one.status == "GOING" and not one.is_waiting and one.name]
    summary = _summary(now, hangout)
    shown = {name: summary[name] for name in GuestView.__struct_fields__ if name in summary}
    return GuestView(
        **shown,
        invited_by=invited_by,
        description=hangout.description,
        link=hangout.link,
        going=going if link is not None and link.shows_people else None,
    )


def guest_answer(given: GuestRsvpOutcome) -> GuestRsvpView:
    """Returns a guest's own answer."""
    rsvp = given.rsvp
    return GuestRsvpView(
        name=rsvp.name,
        status=rsvp.status,
        is_waiting=given.is_waiting,
        note=rsvp.note,
        plus_guests=rsvp.plus_guests,
        change_code=given.change_code,
    )
