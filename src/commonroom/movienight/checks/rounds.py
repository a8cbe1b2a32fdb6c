"""Rounds: what each says of its shortlist, its ratings and its pick is what is stored of these.

An open one is the one that its household names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from commonroom.moments import seconds
from commonroom.movienight.rules.rounds import OPEN, PICKED, status_of
from commonroom.movienight.service.rounds.conditions import set_open_round
from commonroom.movienight.tables import (
    Household,
    Pick,
    Round,
    RoundRating,
    Suggestion,
    pick_of_round,
    ratings_of_round,
    rounds_of_group,
    suggestions_of_round,
)
from commonroom.store import Store, as_read, check, new, stored, update
from commonroom.store.checking import Problem
from commonroom.store.checking.snapshots import SnapshotCheck

SEARCHED_ROUNDS = 50
"""How far back to look for rounds that are open."""


class RoundSnapshot(Struct, frozen=True):
    """What is stored of a round."""

    group: Household
    films: Sequence[Suggestion]
    """In the order in which they are shown."""
    ratings: Sequence[RoundRating]
    pick: Pick | None
    """The one that the round names."""
    other_pick: Pick | None
    """One that it does not name, where the named one is gone."""
    open_rounds: Sequence[Round]
    """Those of its household where it is open, the newest first."""


async def _take_snapshot(store: Store, round_: Round) -> RoundSnapshot | None:
    """Reads what is stored of a round; None where it is being deleted with its household."""
    group = await store.get(Household.at(group_id=round_.group_id))
    if group is None:
        return None
    key = {"round_id": round_.round_id}
    films = [one async for one in store.all(suggestions_of_round(**key))]
    pick, other = None, None
    if round_.pick_id is not None:
        pick = await store.get(Pick.at(pick_id=round_.pick_id))
        other = None if pick is not None else await store.first(pick_of_round(**key))
    return RoundSnapshot(
        group=group,
        films=sorted(films, key=lambda film: (film.position, film.tmdb_movie_id)),
        ratings=[one async for one in store.all(ratings_of_round(**key))],
        pick=pick,
        other_pick=other,
        open_rounds=await _open_rounds(store, round_) if status_of(round_) in OPEN else [],
    )


async def _open_rounds(store: Store, round_: Round) -> list[Round]:
    """The household's rounds that are open now, this one included; an index says where to look."""
    page = await store.page(rounds_of_group(group_id=round_.group_id), limit=SEARCHED_ROUNDS)
    refs = {one.ref.key: one.ref for one in (round_, *page.items)}
    found = await store.batch_get(list(refs.values()))
    are_open = [one for one in found if one is not None and status_of(one) in OPEN]
    return sorted(are_open, key=lambda one: (one.created_at, one.round_id), reverse=True)


def _find_problems(round_: Round, snapshot: RoundSnapshot | None) -> Iterator[Problem]:
    if snapshot is None:
        return
    if status_of(round_) in OPEN:
        yield from _check_open(round_, snapshot)
    yield from _check_shortlist(round_, snapshot.films)
    if status_of(round_) in PICKED:
        yield from _check_ratings(round_, snapshot.ratings)
        yield from _check_pick(round_, snapshot)


def _check_open(round_: Round, snapshot: RoundSnapshot) -> Iterator[Problem]:
    """The newest is the open one, where the household names it or none; those before it ended."""
    named = snapshot.group.open_round_id
    if named == round_.round_id:
        return
    newest = snapshot.open_rounds[0]
    if named in {one.round_id for one in snapshot.open_rounds} or newest != round_:
        detail = "Another movie night of its household is open."
        if named != newest.round_id:
            yield Problem.of("open rounds", round_, detail)
            return
        held = check(snapshot.group, if_=as_read(snapshot.group, "open_round_id"))
        repair = update(round_.ref, status="expired", if_=as_read(round_, "status"))
        yield Problem.of("open rounds", round_, detail, held, repair)
    elif named is None:
        same = check(round_, if_=as_read(round_, "status", "group_id"))
        at = seconds(snapshot.group.updated_at or snapshot.group.created_at)
        repair = set_open_round(at, round_.group_id, round_.round_id)
        yield Problem.of("open rounds", round_, "Its household does not name it.", same, repair)
    else:
        # What the household names is not open, which is found and repaired with the household.
        yield Problem.of("open rounds", round_, "Its household names another.")


def _check_shortlist(round_: Round, films: Sequence[Suggestion]) -> Iterator[Problem]:
    """The films by id and how many each has proposed; earlier versions named no films."""
    expected: dict[str, Any] = {"films": [one.tmdb_movie_id for one in films]}
    is_right = not round_.films or set(expected["films"]) == set(round_.films)
    if status_of(round_) in OPEN:
        proposers = (one.proposed_by for one in films)
        expected["proposals"] = dict(Counter(one for one in proposers if one is not None))
        is_right = is_right and expected["proposals"] == round_.proposals
    if not is_right:
        held = as_read(round_, "films", "proposals", "status")
        detail = f"It names {len(round_.films)} films; they are {len(films)}, or others."
        repair = update(round_.ref, **expected, if_=held)
        yield Problem.of("shortlists", round_, detail, repair)


def _check_ratings(round_: Round, ratings: Sequence[RoundRating]) -> Iterator[Problem]:
    """Who rated how; a round of an earlier version is not asked until something happens in it."""
    expected = {one.member_id: str(one.rating) for one in ratings}
    if round_.version and round_.rated != expected:
        held = as_read(round_, "rated", "status")
        detail = f"It names {len(round_.rated)} ratings; they are {len(ratings)}, or others."
        yield Problem.of("ratings", round_, detail, update(round_.ref, rated=expected, if_=held))


def _check_pick(round_: Round, snapshot: RoundSnapshot) -> Iterator[Problem]:
    if round_.pick_id is None or snapshot.pick is not None:
        return
    if snapshot.other_pick is None:
        yield Problem.of("picks", round_, "The film that it picked is not stored any more.")
        return
    held = as_read(round_, "pick_id", "status")
    gone = check(Pick.at(pick_id=round_.pick_id), if_=new)
    there = check(snapshot.other_pick, if_=stored)
    repair = update(round_.ref, pick_id=snapshot.other_pick.pick_id, if_=held)
    yield Problem.of("picks", round_, "It names another pick than its own.", gone, there, repair)


ROUNDS = SnapshotCheck(Round, _take_snapshot, _find_problems)
