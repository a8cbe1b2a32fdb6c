"""What rounds of earlier versions keep elsewhere: for newer ones, nothing here asks the store."""

from __future__ import annotations

from typing import cast

from commonroom.movienight.rules.rounds import PICKED, Liked, status_of
from commonroom.movienight.tables import (
    Pick,
    Round,
    members_of_group,
    pick_of_round,
    ratings_of_round,
)
from commonroom.store import Store


async def attendees_in(store: Store, round_: Round) -> list[str]:
    """Who takes part; a request only where the round does not say, which means everybody."""
    if round_.attendees is not None:
        return round_.attendees
    members = (await store.page(members_of_group(group_id=round_.group_id))).items
    return [one.user_id for one in members]


async def ratings_in(store: Store, round_: Round) -> dict[str, Liked]:
    """Who has rated, and how; a request only where nothing happened since an earlier version."""
    if round_.version or status_of(round_) not in PICKED:
        return cast("dict[str, Liked]", round_.rated)
    ratings = (await store.page(ratings_of_round(round_id=round_.round_id))).items
    return {one.member_id: one.rating for one in ratings}


async def pick_in(store: Store, round_: Round) -> Pick | None:
    """The pick of a round that has one; earlier versions kept it beside the round only."""
    if round_.pick_id is not None:
        return await store.get(Pick.at(pick_id=round_.pick_id))
    # Such a pick was made long ago, so the index shows it.
    return await store.first(pick_of_round(round_id=round_.round_id))
