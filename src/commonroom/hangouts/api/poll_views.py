"""What the API shows of polls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import tables
from commonroom.hangouts.api.time_and_place import Epoch, Time, VenueView, place_view, time_view
from commonroom.hangouts.rules.places import shown_place
from commonroom.hangouts.rules.polls import is_open, leading_ids, tally_of
from commonroom.hangouts.tables import PollOutcome, PollSubject, Vote


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
    deadline: Annotated[Moment | None, Meta(description="When it closes by itself.")]
    overdue_at: Annotated[
        Moment | None,
        Meta(
            description="Since when a deadline has passed that ended in a tie: its maker decides."
        ),
    ]
    closed_at: Moment | None
    outcome: Annotated[
        PollOutcome | None,
        Meta(description="`OVERRULED`: the time or place was set by hand."),
    ]
    winner_option_id: str | None
    ballot_count: Annotated[int, Meta(description="How many people have voted.")]
    created_by: str
    created_at: Moment


class BallotView(Struct, frozen=True):
    """A person's votes on the options."""

    user_id: str
    name: str | None
    votes: Annotated[dict[str, Vote], Meta(description="By option.")]


class WholePoll(HangoutPollView, frozen=True, kw_only=True):
    """A poll with everybody’s votes."""

    ballots: list[BallotView]


def poll(now: float, one: tables.HangoutPoll) -> HangoutPollView:
    """Returns a poll and how it stands."""
    return HangoutPollView(**_fields(now, one))


def whole_poll(now: float, one: tables.HangoutPoll, ballots: Sequence[tables.Ballot]) -> WholePoll:
    """Returns a whole poll, with those of the ballots that are its own."""
    known = {option.option_id for option in one.options}
    own = [
        BallotView(
            ballot.user_id,
            ballot.user_name or None,
            {option: vote for option, vote in ballot.votes.items() if option in known},
        )
        for ballot in ballots
        if ballot.poll_id == one.poll_id
    ]
    return WholePoll(**_fields(now, one), ballots=own)


def _fields(now: float, one: tables.HangoutPoll) -> dict[str, Any]:
    names = HangoutPollView.__struct_fields__
    shown = {name: getattr(one, name) for name in names if name not in ("options", "is_open")}
    leading = leading_ids(one, now)
    return {
        **shown,
        "options": [_option(one, option, option.option_id in leading) for option in one.options],
        "is_open": is_open(one, now),
    }


def _option(
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
