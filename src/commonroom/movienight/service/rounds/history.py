"""What the household did before: its rounds and its picks, the newest first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from commonroom.movienight.rules.rounds import (
    PICKED,
    RatingSummary,
    as_it_is_now,
    status_of,
    summary,
)
from commonroom.movienight.service.rounds.earlier import pick_in, ratings_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Pick, Round, rounds_of_group, watch_history
from commonroom.store import Page, Store

PAGE, LONGEST_PAGE = 20, 50


class PastRound(Struct, frozen=True):
    """A round of the history, however it ended."""

    round: Round
    pick: Pick | None
    ratings: RatingSummary


class PastPick(Struct, frozen=True):
    """A film that was picked and watched."""

    pick: Pick
    ratings: RatingSummary


async def rounds(
    store: Store, seat: Seat, *, limit: int = PAGE, cursor: str | None = None
) -> Page[PastRound]:
    """The rounds of the household, the newest first: two requests.

    Rounds of earlier versions need up to two more each, until something happens in them.
    """
    page = await store.page(
        rounds_of_group(group_id=seat.group_id), limit=min(limit, LONGEST_PAGE), cursor=cursor
    )
    picks = await _picks(store, page.items)
    past = [
        PastRound(as_it_is_now(one), picks.get(one.round_id), summary(await ratings_in(store, one)))
        for one in page.items
    ]
    return Page(past, page.seal)


async def picks(
    store: Store, seat: Seat, *, limit: int = PAGE, cursor: str | None = None
) -> Page[PastPick]:
    """The films that were picked and watched, the newest pick first: two requests."""
    page = await store.page(
        watch_history(group_id=seat.group_id), limit=min(limit, LONGEST_PAGE), cursor=cursor
    )
    watched = [pick for pick in page.items if pick.watched]
    of = await store.batch_get([Round.at(round_id=pick.round_id) for pick in watched])
    past = [
        PastPick(pick, summary({} if round_ is None else await ratings_in(store, round_)))
        for pick, round_ in zip(watched, of, strict=True)
    ]
    return Page(past, page.seal)


async def _picks(store: Store, several: Sequence[Round]) -> dict[str, Pick]:
    named = [one.pick_id for one in several if one.pick_id is not None]
    found = await store.batch_get([Pick.at(pick_id=one) for one in named])
    unnamed = [one for one in several if one.pick_id is None and status_of(one) in PICKED]
    found += await asyncio.gather(*(pick_in(store, one) for one in unnamed))
    return {one.round_id: one for one in found if one is not None}
