"""Rounds of other applications: each is told its films, its ratings and its pick.

Rounds of version 0.1 lack these as well and are read without them, so only an adoption asks.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from commonroom.movienight.rules.rounds import PICKED, status_of
from commonroom.movienight.tables import (
    Round,
    pick_of_round,
    ratings_of_round,
    suggestions_of_round,
)
from commonroom.store import Store, as_read, update
from commonroom.store.checking import Check
from commonroom.store.checking.related import RelatedCheck, RelatedItems, RelatedProblem


async def _find_problems(one: Round, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    missing = await _missing(found.store, one)
    if missing:
        held = as_read(one, "version", "films", "rated", "pick_id")
        detail = f"It does not know its {' and '.join(missing)}."
        yield RelatedProblem("rounds", detail, [update(one.ref, if_=held, **missing)])


async def _missing(store: Store, one: Round) -> dict[str, Any]:
    """Returns what a round says nothing of, and its films, ratings and pick do."""
    key = {"round_id": one.round_id}
    missing: dict[str, Any] = {}
    if not one.films:
        films = [film async for film in store.all(suggestions_of_round(**key))]
        in_order = sorted(films, key=lambda film: film.position)
        missing["films"] = [film.tmdb_movie_id for film in in_order]
    if not one.rated:
        ratings = [rating async for rating in store.all(ratings_of_round(**key))]
        missing["rated"] = {rating.member_id: rating.rating for rating in ratings}
    if one.pick_id is None and status_of(one) in PICKED:
        pick = await store.first(pick_of_round(**key))
        missing["pick_id"] = None if pick is None else pick.pick_id
    return {name: value for name, value in missing.items() if value}


def adoption_checks() -> list[Check]:
    """What is looked at of rounds while they are adopted."""
    return [RelatedCheck({Round: _find_problems})]
