"""Picking the film of the evening, and taking that back."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from commonroom.moments import iso
from commonroom.movienight.errors import VotesMissing
from commonroom.movienight.service.films.pending import no_longer_pending, pending_for
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.rounds.company import present
from commonroom.movienight.service.rounds.earlier import pick_in
from commonroom.movienight.service.rounds.holding import (
    carry_out,
    check_state,
    film_refusal,
    in_state,
    steering,
    unchanged,
)
from commonroom.movienight.service.rounds.one_open import closed, opened
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import (
    Pick,
    Round,
    Suggestion,
    ratings_of_round,
    votes_of_round,
)
from commonroom.store import Store, Write, check, create, delete, put, stored, update
from commonroom.store.store import LONGEST_PAGE


async def pick(
    store: Store,
    now: float,
    seat: Seat,
    round_id: str,
    tmdb_movie_id: int,
    *,
    even_if_votes_are_missing: bool = True,
) -> Pick:
    """The film of the evening: any of the round's, whatever the votes say."""

    async def attempt() -> Pick:
        round_ = await round_in(store, seat, round_id)
        may = steering(seat, round_)
        check_state(round_, "voting")
        film = await store.get(Suggestion.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id))
        if film is None:
            raise film_refusal(None)
        as_it_is = in_state("voting")
        if not even_if_votes_are_missing:
            await _check_everybody_voted(store, round_)
            as_it_is &= unchanged(round_)  # whoever is added, or takes a vote back, is asked about
        chosen = _pick(now, seat, film)
        picked = update(
            Round.at(round_id=round_id),
            status="selected",
            selected_at=iso(now),
            pick_id=chosen.pick_id,
            moved_by=seat.person.user_id,
            updated_at=iso(now),
            if_=as_it_is,
        )
        await carry_out(
            store,
            seat,
            ("voting",),
            picked,
            may,
            check(film, if_=stored),
            closed(now, seat.group_id, round_id),
            create(chosen),
            put(pending_for(chosen)),
        )
        return chosen

    return await retry(attempt)


def _pick(now: float, seat: Seat, film: Suggestion) -> Pick:
    return Pick(
        pick_id=str(uuid4()),
        round_id=film.round_id,
        group_id=seat.group_id,
        tmdb_movie_id=film.tmdb_movie_id,
        title=film.title,
        poster_path=film.poster_path,
        picked_by=seat.member_id,
        picked_at=iso(now),
    )


async def _check_everybody_voted(store: Store, round_: Round) -> None:
    there, votes = await asyncio.gather(
        present(store, round_),
        store.page(votes_of_round(round_id=round_.round_id), limit=LONGEST_PAGE),
    )
    missing = there - {one.member_id for one in votes.items}
    if missing:
        raise VotesMissing(
            "Not everyone has voted yet. Confirm to pick a film anyway.",
            missing=sorted(missing),
        )


async def reopen(store: Store, now: float, seat: Seat, round_id: str) -> None:
    """Back to the vote: the pick goes, and with it what was already said about it."""

    async def attempt() -> None:
        round_ = await round_in(store, seat, round_id)
        may = steering(seat, round_)
        check_state(round_, "selected")
        # A rating in this moment changes the round, and this is tried again.
        picked, ratings = await asyncio.gather(
            pick_in(store, round_), store.page(ratings_of_round(round_id=round_id))
        )
        gone = [*ratings.items, *([] if picked is None else [picked])]
        no_pick = [] if picked is None else await _no_longer_pending(store, picked)
        reopened = update(
            Round.at(round_id=round_id),
            status="voting",
            selected_at=None,
            pick_id=None,
            rated={},
            moved_by=seat.person.user_id,
            updated_at=iso(now),
            if_=in_state("selected") & unchanged(round_),
        )
        await carry_out(
            store,
            seat,
            ("selected",),
            reopened,
            may,
            opened(now, seat.group_id, round_id),
            *map(delete, gone),
            *no_pick,
        )

    await retry(attempt)


async def _no_longer_pending(store: Store, picked: Pick) -> list[Write]:
    return no_longer_pending(picked, await store.get(pending_for(picked).ref))
