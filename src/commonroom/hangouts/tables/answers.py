"""What people add to a hangout: answers, polls, things to bring, seats."""

from __future__ import annotations

from typing import Literal

from commonroom.hangouts.tables.groups import inviter
from commonroom.hangouts.tables.plans import EnteredTime
from commonroom.store import Entity, Keys


class Rsvp(Entity, table=inviter, kind="RSVP", rename="camel"):
    """Whether somebody comes."""

    hangout_id: str
    user_id: str
    status: Literal["GOING", "INTERESTED", "NOT_GOING"]
    note: str | None = None
    updated_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="RSVP#{user_id}")


class Poll(Entity, table=inviter, kind="POLL", rename="camel"):
    """A question about the hangout; a time poll's winner becomes its time."""

    hangout_id: str
    poll_id: str
    title: str
    is_time_poll: bool = False
    closed_at: str | None = None
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
    created_by: str
    created_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="POLL#{poll_id}#OPTION#{option_id}")


class PollVote(Entity, table=inviter, kind="POLL_VOTE", rename="camel"):
    """What one person says to one option."""

    hangout_id: str
    poll_id: str
    option_id: str
    user_id: str
    vote: Literal["YES", "NO", "MAYBE"]
    voted_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="POLL#{poll_id}#VOTE#{user_id}#{option_id}")


class BringItem(Entity, table=inviter, kind="BRING_ITEM", rename="camel"):
    """Something to bring, claimed by one person at most."""

    hangout_id: str
    bring_item_id: str
    name: str
    note: str | None = None
    claimed_by: str | None = None
    claimed_at: str | None = None
    created_by: str
    created_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="BRING#{bring_item_id}")


class Car(Entity, table=inviter, kind="CAR", rename="camel"):
    """A car that goes there."""

    hangout_id: str
    car_id: str
    driver_id: str
    seats: int
    """The driver's included."""
    seats_taken: int = 1
    note: str | None = None
    created_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="CAR#{car_id}")


class Seat(Entity, table=inviter, kind="SEAT", rename="camel"):
    """Somebody's seat in a car."""

    hangout_id: str
    car_id: str
    user_id: str
    taken_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="CAR#{car_id}#SEAT#{user_id}")
