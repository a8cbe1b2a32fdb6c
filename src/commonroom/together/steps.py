"""A newcomer's first steps, from what their account says alone."""

from __future__ import annotations

from msgspec import Struct

from commonroom.moments import seconds
from commonroom.web.authentication import Caller
from commonroom.web.words import later

NEWCOMER_SECONDS = 14 * 24 * 3600
"""After this nobody is a newcomer, whatever they have not done."""


class Step(Struct, frozen=True):
    """Something to begin with; texts are translated when they are shown."""

    name: str
    address: str
    icon: str
    title: str
    text: str


TIME_ZONE = Step(
    "time_zone",
    "/me",
    "clock",
    later("Set your time zone"),
    later("So that dates and times are right for you. You can also choose a picture."),
)
INVITE = Step(
    "invite",
    "/admin/invitations",
    "letter",
    later("Invite someone"),
    later("Let your household and friends in with a link or a QR code."),
)
CHILD = Step(
    "child",
    "/me/members",
    "family",
    later("Add a child"),
    later("They can take part without a login of their own."),
)


def steps_left(caller: Caller, now: float) -> list[Step]:
    """What a newcomer can still begin with; nothing for a managed member, and later on."""
    person = caller.person
    if caller.acting_as is not None or person.steps_done_at is not None:
        return []
    if now - seconds(person.created_at) > NEWCOMER_SECONDS:
        return []
    wanted = {
        TIME_ZONE: not person.time_zone,
        INVITE: person.is_admin and person.invited_at is None,
        CHILD: not person.managed_count,
    }
    return [step for step, is_open in wanted.items() if is_open]
