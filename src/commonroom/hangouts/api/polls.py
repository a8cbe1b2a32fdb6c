"""Polls: about the time, the place, or anything; votes, and closing them."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from commonroom.hangouts.api import poll_views
from commonroom.hangouts.api.bodies import Id, Moment, PlaceGiven, TimeGiven, plain
from commonroom.hangouts.api.hangouts import ONE
from commonroom.hangouts.request import Member, PollRef
from commonroom.hangouts.rules.polls import (
    MAX_LABEL,
    MAX_OPTIONS,
    MAX_TITLE,
    TypedHangoutPollOption,
)
from commonroom.hangouts.service import ballots, poll_closing, polls
from commonroom.hangouts.service.polls import TypedHangoutPoll
from commonroom.hangouts.tables import PollSubject, Vote
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations

ALL = f"{ONE}/polls"
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


@api.post(ALL, Need.NOT_ACTING)
async def create_poll(ctx: Ctx, hangout_id: str, new: NewHangoutPoll) -> poll_views.HangoutPollView:
    """Ask something; any member of the hangout’s groups may.

    There is one open poll about the time at a time, and one about the place; 409 says in `poll_id`
    which.
    """
    fields = msgspec.structs.asdict(new) | {"options": [_option(one) for one in new.options]}
    made = await polls.create_poll(ctx, hangout_id, TypedHangoutPoll(**fields))
    return poll_views.poll(ctx.now, made)


@api.patch(POLL, Need.NOT_ACTING)
async def change_poll(ctx: Ctx, poll: PollRef, change: PollChange) -> poll_views.HangoutPollView:
    """Change a poll; its maker and managers of the hangout may."""
    sent = msgspec.structs.asdict(change)
    named = {name: value for name, value in sent.items() if value is not UNSET}
    return poll_views.poll(ctx.now, await polls.change_poll(ctx, poll, named))


@api.delete(POLL, Need.NOT_ACTING)
async def delete_poll(ctx: Ctx, poll: PollRef) -> None:
    """Delete a poll with its votes; its maker and managers of the hangout may."""
    await polls.delete_poll(ctx, poll)


@api.post(OPTIONS, Need.NOT_ACTING)
async def add_poll_option(
    ctx: Ctx, poll: PollRef, given: OptionGiven
) -> poll_views.HangoutPollView:
    """Add an option, where others than the poll’s maker may."""
    after = await polls.add_option(ctx, poll, _option(given))
    return poll_views.poll(ctx.now, after)


@api.delete(f"{OPTIONS}/{{option_id:str}}", Need.NOT_ACTING)
async def remove_poll_option(ctx: Ctx, poll: PollRef, option_id: str) -> None:
    """Remove an option with its votes; the person who added it and the poll’s maker may."""
    await polls.remove_option(ctx, poll, option_id)


@api.put(BALLOT, Need.SIGNED_IN)
async def vote_in_poll(
    ctx: Ctx, member: Member, poll: PollRef, given: BallotGiven
) -> poll_views.HangoutPollView:
    """Vote, or vote otherwise: the ballot as a whole."""
    after = await ballots.vote(ctx, member, poll, given.votes)
    return poll_views.poll(ctx.now, after)


@api.delete(BALLOT, Need.SIGNED_IN)
async def withdraw_vote(ctx: Ctx, member: Member, poll: PollRef) -> None:
    """Take one’s votes back."""
    await ballots.withdraw_vote(ctx, member, poll)


@api.post(f"{POLL}/close", Need.NOT_ACTING, status=200)
async def close_poll(ctx: Ctx, poll: PollRef, closing: Closing) -> poll_views.HangoutPollView:
    """Close a poll; its winner becomes the hangout’s time or place.

    Most can, then most could, then the fewest cannot. Of a tie, 409 says in `tied_option_ids` which
    to choose from.
    """
    how: dict[str, Any] = msgspec.structs.asdict(closing)
    closed = await poll_closing.close_poll(ctx, poll, **how)
    return poll_views.poll(ctx.now, closed)


def _option(given: OptionGiven) -> TypedHangoutPollOption:
    return TypedHangoutPollOption(**plain(msgspec.structs.asdict(given)))
