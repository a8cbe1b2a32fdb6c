"""What the API shows of the answers that people leave on a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.events import Response
from commonroom.shareables.service import events, networks, polls
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import EventRsvp, PollAnswer, PollVote
from commonroom.web.people.api.views import Moment

Code: TypeAlias = Annotated[
    str | None,
    Meta(
        description=(
            "Shown once: a guest needs it to edit or withdraw the answer. Null with an "
            "account, which needs none."
        )
    ),
]
Sealed: TypeAlias = Annotated[
    str | None, Meta(description="A receipt that programs can keep instead of the code.")
]
Answers: TypeAlias = Annotated[dict[str, list[str]], Meta(description="Option ids by question id.")]


class Origin(Struct, frozen=True):
    """Where an answer came from; no address is kept."""

    answer_id: Annotated[str, Meta(description="The id by which an admin can remove it.")]
    has_account: bool
    network: Annotated[
        str | None,
        Meta(description="The same for answers from one network, on this page alone."),
    ]
    from_network: Annotated[int, Meta(description="How many answers came from there.")]


OriginSeen: TypeAlias = Annotated[Origin | None, Meta(description="Null to viewers.")]


class Guest(Struct, frozen=True):
    """Who answered what."""

    name: str
    response: Response
    guest_count: int
    origin: OriginSeen


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

    name: Annotated[str | None, Meta(description="Null where none was given.")]
    answers: Answers
    origin: OriginSeen


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
    return Guest(one.name, one.response, one.guest_count, _origin(one.origin))


def my_rsvp(one: EventRsvp) -> MyRsvp:
    """An answer as whoever gave it sees it."""
    return MyRsvp(one.name, one.response, one.guest_count, one.created_at, one.updated_at)


def given_rsvp(one: EventRsvp, passes: Passes) -> GivenRsvp:
    """An answer with its code."""
    return GivenRsvp(*_code(one, passes), my_rsvp(one))


def my_vote(one: PollVote) -> MyVote:
    """A vote as whoever gave it sees it."""
    return MyVote(one.name, _chosen(one.answers), one.created_at, one.updated_at)


def cast_vote(one: polls.Cast) -> CastVote:
    """A vote as an admin sees it."""
    return CastVote(one.name, _chosen(one.answers), _origin(one.origin))


def given_vote(one: PollVote, passes: Passes) -> GivenVote:
    """A vote with its code."""
    return GivenVote(*_code(one, passes), my_vote(one))


def _code(one: EventRsvp | PollVote, passes: Passes) -> tuple[str | None, str | None]:
    """The code and receipt of a guest's answer; an account's has none to be shown."""
    if one.account_id is not None:
        return None, None
    return one.code, passes.receipt(Receipt(one.short_id, one.code))


def _origin(one: networks.Origin | None) -> Origin | None:
    if one is None:
        return None
    return Origin(one.answer_id, one.has_account, one.network, one.from_network)


def _chosen(answers: Iterable[PollAnswer]) -> dict[str, list[str]]:
    return {one.poll_question_id: one.option_ids for one in answers}
