"""Polls: about the time, the place, or anything; votes, and closing them."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from commonroom.accounts.api.views import Moment as ShownMoment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.api.time_and_place import (
    Epoch,
    PlaceGiven,
    Time,
    TimeGiven,
    VenueView,
    place_view,
    plain,
    time_view,
)
from commonroom.hangouts.request import Member, PollRef
from commonroom.hangouts.rules.fields import Id, Moment
from commonroom.hangouts.rules.places import shown_place
from commonroom.hangouts.rules.polls import (
    MAX_LABEL,
    MAX_OPTIONS,
    MAX_TITLE,
    TypedHangoutPollOption,
    is_open,
    leading_ids,
    tally_of,
)
from commonroom.hangouts.service import ballots, poll_closing, polls
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.hangouts.service.polls import TypedHangoutPoll
from commonroom.hangouts.tables import PollOutcome, PollSubject, Vote
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body, sent_fields
from commonroom.http.operations import Operations
from commonroom.http.projections import projection

ALL = f"{addresses.HANGOUT}/polls"
POLL = f"{ALL}/{{poll_id:str}}"
OPTIONS = f"{POLL}/options"
BALLOT = f"{POLL}/ballot"

Question: TypeAlias = Annotated[
    str,
    Meta(
        max_length=1000,
        description=f"At most {MAX_TITLE} characters; a poll about the time or the place needs "
        "none.",
    ),
]


api = Operations("Hangouts: polls", errors=(404, 409, 429))


class OptionGiven(Body):
    """An option: a time, a place or words, as the poll’s subject is."""

    label: Annotated[
        Annotated[str, Meta(max_length=1000)] | None,
        Meta(description=f"Of a plain poll: 1 to {MAX_LABEL} characters."),
    ] = None
    time: TimeGiven | None = None
    place: PlaceGiven | None = None


class NewHangoutPoll(Body):
    """A poll to be."""

    subject: PollSubject
    title: Question | None = None
    options: Annotated[
        list[OptionGiven], Meta(max_length=100, description=f"At most {MAX_OPTIONS}.")
    ] = field(default_factory=list)
    others_add_options: bool = True
    deadline: Moment | None = None


class PollChange(Body):
    """Changes of a poll; what is left out stays as it is, null clears it."""

    title: Question | UnsetType | None = UNSET
    others_add_options: bool | UnsetType = UNSET
    deadline: Moment | UnsetType | None = UNSET


class BallotGiven(Body):
    """What one says to the options; those left out, one says nothing to."""

    votes: Annotated[dict[Id, Vote], Meta(max_length=MAX_OPTIONS, description="By option.")]


class Closing(Body):
    """How a poll is closed."""

    option_id: Annotated[
        Id | None, Meta(description="Which one to take of those that are tied.")
    ] = None
    undecided: Annotated[bool, Meta(description="Take none.")] = False


class HangoutPollOptionView(Struct, frozen=True, kw_only=True):
    """One of the answers to choose from, and how it stands."""

    option_id: str
    label: Annotated[str | None, Meta(description="Its words, where it is no time or place.")]
    time: Time | None
    start_timestamp: Epoch | None
    end_timestamp: Epoch | None
    place: VenueView | None
    created_by: str
    yes: int
    maybe: int
    no: int
    is_leading: bool


class HangoutPollView(Struct, frozen=True, kw_only=True):
    """A poll on a hangout."""

    poll_id: str
    subject: Annotated[
        PollSubject,
        Meta(description="Of `TIME` and `PLACE` the winner becomes the hangout’s time or place."),
    ]
    title: str | None
    options: list[HangoutPollOptionView]
    others_add_options: bool
    is_open: Annotated[bool, Meta(description="Whether it takes votes.")]
    deadline: Annotated[ShownMoment | None, Meta(description="When it closes by itself.")]
    overdue_at: Annotated[
        ShownMoment | None,
        Meta(
            description="Since when a deadline has passed that ended in a tie: its maker decides."
        ),
    ]
    closed_at: ShownMoment | None
    outcome: Annotated[
        PollOutcome | None,
        Meta(description="`OVERRULED`: the time or place was set by hand."),
    ]
    winner_option_id: str | None
    ballot_count: Annotated[int, Meta(description="How many people have voted.")]
    created_by: str
    created_at: ShownMoment


class BallotView(Struct, frozen=True):
    """A person's votes on the options."""

    user_id: str
    name: str | None
    votes: Annotated[dict[str, Vote], Meta(description="By option.")]


class WholePoll(HangoutPollView, frozen=True, kw_only=True):
    """A poll with everybody’s votes."""

    ballots: list[BallotView]


def _option_view(
    poll: tables.HangoutPoll, one: tables.HangoutPollOption, is_leading: bool
) -> HangoutPollOptionView:
    tally = tally_of(poll, one.option_id)
    place = shown_place(one.place, with_notes=False)  # nobody goes to what is voted on
    return HangoutPollOptionView(
        option_id=one.option_id,
        label=one.label,
        time=None if one.time is None else time_view(one.time),
        start_timestamp=one.start_timestamp,
        end_timestamp=one.end_timestamp,
        place=None if place is None else place_view(place),
        created_by=one.created_by,
        yes=tally.yes,
        maybe=tally.maybe,
        no=tally.no,
        is_leading=is_leading,
    )


def _options(poll: tables.HangoutPoll, now: float) -> list[HangoutPollOptionView]:
    leading = leading_ids(poll, now)
    return [_option_view(poll, one, one.option_id in leading) for one in poll.options]


class PollSight(Struct, frozen=True):
    """What a whole poll is shown with."""

    now: float
    ballots: list[tables.Ballot]


def _ballots(poll: tables.HangoutPoll, seen: PollSight) -> list[BallotView]:
    known = {option.option_id for option in poll.options}
    return [
        BallotView(
            ballot.user_id,
            ballot.user_name or None,
            {option: vote for option, vote in ballot.votes.items() if option in known},
        )
        for ballot in seen.ballots
    ]


poll_view = projection(
    tables.HangoutPoll, HangoutPollView, float, options=_options, is_open=is_open
)
whole_poll = projection(
    tables.HangoutPoll,
    WholePoll,
    PollSight,
    options=lambda one, seen: _options(one, seen.now),
    is_open=lambda one, seen: is_open(one, seen.now),
    ballots=_ballots,
)


def polls_of(things: HangoutThings, now: float) -> list[WholePoll]:
    """Returns all polls, with everybody's votes."""
    polls = things.each_with(tables.HangoutPoll, tables.Ballot)
    return [whole_poll(poll, PollSight(now, ballots)) for poll, ballots in polls]


@api.post(ALL, Need.NOT_ACTING)
async def create_poll(ctx: Ctx, hangout_id: str, new: NewHangoutPoll) -> HangoutPollView:
    """Ask something; any member of the hangout’s groups may.

    There is one open poll about the time at a time, and one about the place; 409 says in `poll_id`
    which.
    """
    fields = msgspec.structs.asdict(new) | {"options": [_option(one) for one in new.options]}
    made = await polls.create_poll(ctx, hangout_id, TypedHangoutPoll(**fields))
    return poll_view(made, ctx.now)


@api.patch(POLL, Need.NOT_ACTING)
async def change_poll(ctx: Ctx, poll: PollRef, change: PollChange) -> HangoutPollView:
    """Change a poll; its maker and managers of the hangout may."""
    return poll_view(await polls.change_poll(ctx, poll, sent_fields(change)), ctx.now)


@api.delete(POLL, Need.NOT_ACTING)
async def delete_poll(ctx: Ctx, poll: PollRef) -> None:
    """Delete a poll with its votes; its maker and managers of the hangout may."""
    await polls.delete_poll(ctx, poll)


@api.post(OPTIONS, Need.NOT_ACTING)
async def add_poll_option(ctx: Ctx, poll: PollRef, given: OptionGiven) -> HangoutPollView:
    """Add an option, where others than the poll’s maker may."""
    after = await polls.add_option(ctx, poll, _option(given))
    return poll_view(after, ctx.now)


@api.delete(f"{OPTIONS}/{{option_id:str}}", Need.NOT_ACTING)
async def remove_poll_option(ctx: Ctx, poll: PollRef, option_id: str) -> None:
    """Remove an option with its votes; the person who added it and the poll’s maker may."""
    await polls.remove_option(ctx, poll, option_id)


@api.put(BALLOT, Need.SIGNED_IN)
async def vote_in_poll(
    ctx: Ctx, member: Member, poll: PollRef, given: BallotGiven
) -> HangoutPollView:
    """Vote, or vote otherwise: the ballot as a whole."""
    after = await ballots.vote(ctx, member, poll, given.votes)
    return poll_view(after, ctx.now)


@api.delete(BALLOT, Need.SIGNED_IN)
async def withdraw_vote(ctx: Ctx, member: Member, poll: PollRef) -> None:
    """Take one’s votes back."""
    await ballots.withdraw_vote(ctx, member, poll)


@api.post(f"{POLL}/close", Need.NOT_ACTING, status=200)
async def close_poll(ctx: Ctx, poll: PollRef, closing: Closing) -> HangoutPollView:
    """Close a poll; its winner becomes the hangout’s time or place.

    Most can, then most could, then the fewest cannot. Of a tie, 409 says in `tied_option_ids` which
    to choose from.
    """
    how: dict[str, Any] = msgspec.structs.asdict(closing)
    closed = await poll_closing.close_poll(ctx, poll, **how)
    return poll_view(closed, ctx.now)


def _option(given: OptionGiven) -> TypedHangoutPollOption:
    return TypedHangoutPollOption(**plain(msgspec.structs.asdict(given)))
