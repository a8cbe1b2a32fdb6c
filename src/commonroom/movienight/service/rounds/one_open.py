"""The one open round of a household, which the household itself names: no index is asked."""

from __future__ import annotations

from commonroom.moments import iso
from commonroom.movienight.tables import Group
from commonroom.store import Write, absent, equal, update


def opened(now: float, group_id: str, round_id: str) -> Write:
    """That a round is the open one, where there is none."""
    group = Group.at(group_id=group_id)
    return update(group, open_round_id=round_id, updated_at=iso(now), if_=absent("open_round_id"))


def closed(now: float, group_id: str, round_id: str) -> Write:
    """That a round is no longer the open one."""
    # Households of earlier versions did not name their open round.
    its_own = equal(open_round_id=round_id) | absent("open_round_id")
    group = Group.at(group_id=group_id)
    return update(group, open_round_id=None, updated_at=iso(now), if_=its_own)
