"""Films that a round has picked and nobody has watched yet."""

from __future__ import annotations

from commonroom.movienight.rules.rounds import status_of
from commonroom.movienight.tables import PendingPick, Pick, Round, pending_pick, watch_history
from commonroom.store import Store, Write, delete, equal

SEARCHED_PICKS = 50
"""How far back to look for a pick that was made before these were kept."""


async def pending_round(store: Store, group_id: str, tmdb_movie_id: int) -> str | None:
    """The round that picked a film which nobody has watched: one request, or three."""
    found = await store.get(pending_pick(group_id=group_id, tmdb_movie_id=tmdb_movie_id))
    if found is not None:
        return found.round_id
    page = await store.page(watch_history(group_id=group_id), limit=SEARCHED_PICKS)
    picks = [one for one in page.items if one.tmdb_movie_id == tmdb_movie_id and not one.watched]
    rounds = await store.batch_get([Round.at(round_id=one.round_id) for one in picks])
    # The index only says where to look: what holds is in the rounds.
    pending = (
        round_.round_id
        for round_, pick in zip(rounds, picks, strict=True)
        if round_ is not None and _has_picked(round_, pick)
    )
    return next(pending, None)


def pending_for(pick: Pick) -> PendingPick:
    """That a picked film is to be watched."""
    return PendingPick(
        group_id=pick.group_id, tmdb_movie_id=pick.tmdb_movie_id, round_id=pick.round_id
    )


def no_longer_pending(pick: Pick, known: PendingPick | None) -> list[Write]:
    """That a picked film no longer waits, given what is known of it; another round's stays."""
    if known is None or known.round_id != pick.round_id:
        return []
    return [delete(known, if_=equal(round_id=pick.round_id))]


def _has_picked(round_: Round, pick: Pick) -> bool:
    return status_of(round_) == "selected" and round_.pick_id in (None, pick.pick_id)
