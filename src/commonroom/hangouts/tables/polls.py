"""Polls of a hangout: about its time, its place, or anything."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from commonroom.hangouts.tables.hangouts import EnteredTime
from commonroom.hangouts.tables.inviter import inviter
from commonroom.hangouts.tables.places import Place
from commonroom.store import Entity, Keys

PollSubject: TypeAlias = Literal["TIME", "PLACE", "OTHER"]
Vote: TypeAlias = Literal["YES", "NO", "MAYBE"]


class Poll(Entity, table=inviter, kind="POLL", rename="camel"):
    """A question about the hangout; a time poll's winner becomes its time."""

    hangout_id: str
    poll_id: str
    title: str
    subject: PollSubject = "OTHER"
    others_add_options: bool = True
    deadline: str | None = None
    """When it closes by itself."""
    option_count: int = 0
    closed_at: str | None = None
    winner_option_id: str | None = None
    created_by: str
    created_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="POLL#{poll_id}")


class PollOption(Entity, table=inviter, kind="POLL_OPTION", rename="camel"):
    """One of the answers to choose from."""

    hangout_id: str
    poll_id: str
    option_id: str
    label: str
    time: EnteredTime | None = None
    place: Place | None = None
    created_by: str
    created_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="POLL#{poll_id}#OPTION#{option_id}")


class Ballot(Entity, table=inviter, kind="BALLOT", rename="camel"):
    """What one person says to the options of a poll."""

    hangout_id: str
    poll_id: str
    user_id: str
    user_name: str | None = None
    votes: dict[str, Vote] = field(default_factory=dict)
    """By option."""
    voted_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="POLL#{poll_id}#BALLOT#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#BALLOT#{poll_id}",
    )
