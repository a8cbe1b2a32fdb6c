"""What would become of a household if somebody left it now."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from commonroom.movienight.rules.households import Household, Member, parting
from commonroom.movienight.service.seats import Seat
from commonroom.web.words import listed


class Farewell(Struct, frozen=True):
    """What happens to the others."""

    along: str
    """The names of the managed members who leave along; empty where there are none."""
    next_creator: str | None
    """Who takes over; None where that does not change, or nobody can."""
    is_end: bool
    """Whether nobody with a login is left, so that the household ends."""


def farewell(seat: Seat, members: Sequence[Member]) -> Farewell:
    """What happens when whoever sits here leaves."""
    parted = parting(Household(seat.group, members), [seat.member_id])
    names = {one.user_id: one.user.display_name for one in members if one.user is not None}
    changes = parted.creator_id not in (None, seat.group.created_by)
    along = [one.user_id for one in parted.leaving if one.user_id in _managed(seat, members)]
    return Farewell(
        listed([names[one] for one in along]),
        names.get(parted.creator_id or "") if changes else None,
        is_end=parted.creator_id is None,
    )


def _managed(seat: Seat, members: Sequence[Member]) -> set[str]:
    own = (one for one in members if one.user and one.user.parent_user_id == seat.member_id)
    return {one.user_id for one in own}
