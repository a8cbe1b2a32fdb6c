"""Polls of a hangout: about its time, its place, or anything."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.hangouts.tables.hangouts import EnteredTime
from commonroom.hangouts.tables.inviter import OnHangout, inviter, keys_on_hangout
from commonroom.hangouts.tables.places import Venue
from commonroom.store import Entity, Keys

PollSubject: TypeAlias = Literal["TIME", "PLACE", "OTHER"]
PollOutcome: TypeAlias = Literal["DECIDED", "UNDECIDED", "OVERRULED"]
"""Overruled: a person set the hangout's time or place by hand."""
Vote: TypeAlias = Literal["YES", "NO", "MAYBE"]


class HangoutPollOption(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """One of the answers to choose from: a time, a place, or a few words."""

    option_id: str
    label: str | None = None
    time: EnteredTime | None = None
    start_timestamp: int | None = None
    end_timestamp: int | None = None
    place: Venue | None = None
    created_by: str


class HangoutPoll(Entity, table=inviter, kind="POLL", rename="camel"):
    """A question about the hangout; the winner of one about its time or place becomes that."""

    hangout_id: str
    poll_id: str
    """Made in the order of time."""
    title: str | None = None
    """What is asked; a poll about the time or the place needs no words of its own."""
    subject: PollSubject = "OTHER"
    others_add_options: bool = True
    deadline: str | None = None
    """When it closes by itself."""
    overdue_at: str | None = None
    """Since when a deadline has passed that decided nothing: its maker is asked."""
    options: list[HangoutPollOption] = field(default_factory=list)
    tallies: dict[str, int] = field(default_factory=dict)
    """How many say what to which option (`rules.polls.tally_key`), written with each ballot."""
    ballot_count: int = 0
    closed_at: str | None = None
    outcome: PollOutcome | None = None
    winner_option_id: str | None = None
    closed_by: str | None = None
    """Who closed it; None where its deadline did."""
    created_by: str
    created_at: str
    version: int = 1

    # A ballot is no edit: people who vote at once do not retry for each other.
    unversioned = frozenset({"tallies", "ballot_count"})
    keys = Keys(PK="EVENT#{hangout_id}", SK="POLL#{poll_id}")


class Ballot(OnHangout, table=inviter, kind="BALLOT"):
    """What one person says to the options of a poll."""

    poll_id: str
    votes: dict[str, Vote] = field(default_factory=dict)
    """By option; what is said of one that was removed meanwhile counts for nothing."""
    voted_at: str

    keys = keys_on_hangout("POLL#{poll_id}#BALLOT#{user_id}", "BALLOT#{poll_id}")
