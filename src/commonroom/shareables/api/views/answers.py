"""What the API shows of the answers that people leave on a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.events import Response
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import EventRsvp, PollAnswer, PollVote
from commonroom.web.people.api.views import Moment

Code: TypeAlias = Annotated[
    str, Meta(description="Shown once: with it the answer is changed or withdrawn.")
]
Sealed: TypeAlias = Annotated[
    str, Meta(description="Stands for the code, for a program that keeps it.")
]
Answers: TypeAlias = Annotated[dict[str, list[str]], Meta(description="Option ids by question id.")]


class Guest(Struct, frozen=True):
    """Who answered what."""

    name: str
    response: Response
    guest_count: int


class MyRsvp(Struct, frozen=True):
    """One's own answer to an event."""

    name: str
    response: Response
    guest_count: int
    created_at: Moment
    updated_at: Moment


class GivenRsvp(Struct, frozen=True):
    """An answer to an event, as it was given."""

    code: Code
    receipt: Sealed
    rsvp: MyRsvp


class CastVote(Struct, frozen=True):
    """Who voted what."""

    name: Annotated[str | None, Meta(description="Null for whoever gave none.")]
    answers: Answers


class MyVote(Struct, frozen=True):
    """One's own vote."""

    name: str | None
    answers: Answers
    created_at: Moment
    updated_at: Moment


class GivenVote(Struct, frozen=True):
    """A vote, as it was given."""

    code: Code
    receipt: Sealed
    vote: MyVote


def guest(one: events.Guest) -> Guest:
    """An answer as others see it."""
    return Guest(one.name, one.response, one.guest_count)


def my_rsvp(one: EventRsvp) -> MyRsvp:
    """An answer as whoever gave it sees it."""
    return MyRsvp(one.name, one.response, one.guest_count, one.created_at, one.updated_at)


def given_rsvp(one: EventRsvp, passes: Passes) -> GivenRsvp:
    """An answer with its code."""
    return GivenRsvp(one.code, passes.receipt(Receipt(one.short_id, one.code)), my_rsvp(one))


def my_vote(one: PollVote) -> MyVote:
    """A vote as whoever gave it sees it."""
    return MyVote(one.name, _chosen(one.answers), one.created_at, one.updated_at)


def cast_vote(one: polls.Cast) -> CastVote:
    """A vote as an admin sees it."""
    return CastVote(one.name, _chosen(one.answers))


def given_vote(one: PollVote, passes: Passes) -> GivenVote:
    """A vote with its code."""
    return GivenVote(one.code, passes.receipt(Receipt(one.short_id, one.code)), my_vote(one))


def _chosen(answers: Iterable[PollAnswer]) -> dict[str, list[str]]:
    return {one.poll_question_id: one.option_ids for one in answers}
