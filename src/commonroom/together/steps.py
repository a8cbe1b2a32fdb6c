"""A newcomer's first steps, from what their account says alone: their own, and the rooms'."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.http.authentication import Caller
from commonroom.http.words import lazy
from commonroom.joins.first_steps import FirstStep
from commonroom.joins.rooms import Room, offers_of
from commonroom.moments import elapsed, seconds

NEWCOMER_SECONDS = 14 * 24 * 3600
"""After this nobody is a newcomer, whatever they have not done."""


TIME_ZONE = FirstStep(
    "time_zone",
    "/me",
    "clock",
    lazy("Set your time zone"),
    lazy("So that dates and times are right for you. You can also choose a picture."),
)
INVITE = FirstStep(
    "invite",
    "/admin/invitations",
    "letter",
    lazy("Invite someone"),
    lazy("Let your household and friends in with a link or a QR code."),
)
CHILD = FirstStep(
    "child",
    "/me/members",
    "family",
    lazy("Add a child"),
    lazy("They can take part without a login of their own."),
)


def steps_left(caller: Caller, rooms: Sequence[Room], now: float) -> list[FirstStep]:
    """Returns what a newcomer can still begin with; nothing for a managed member, and later on."""
    person = caller.person
    if caller.acting_as is not None or person.steps_done_at is not None:
        return []
    if elapsed(seconds(person.created_at), now) > NEWCOMER_SECONDS:
        return []
    wanted = {
        TIME_ZONE: not person.time_zone,
        **dict.fromkeys(offers_of(unused_rooms(caller, rooms), FirstStep), True),
        INVITE: person.is_admin and person.invited_at is None,
        CHILD: not person.managed_count,
    }
    return [step for step, is_open in wanted.items() if is_open]


def unused_rooms(caller: Caller, rooms: Sequence[Room]) -> list[Room]:
    """Returns the rooms that hold nothing of a person's; none for a managed member."""
    if caller.acting_as is not None:
        return []
    used = caller.person.opened_rooms
    return [room for room in rooms if room.address and room.key not in used]
