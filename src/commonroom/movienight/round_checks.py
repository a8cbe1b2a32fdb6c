"""What rounds of other applications lack: films, ratings and pick, and a household that knows them.

`commonroom check` does not ask for this: rounds of earlier versions know less, and are read so.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from commonroom.movienight.rules.rounds import OPEN, PICKED, status_of, statuses_read_as
from commonroom.movienight.service.rounds.picks import pending_pick_of
from commonroom.movienight.tables import (
    Group,
    PendingPick,
    Pick,
    Round,
    WatchedFilm,
    pick_of_round,
    ratings_of_round,
    suggestions_of_round,
)
from commonroom.store import Entity, Ref, absent, as_read, check, create, equal, one_of, update
from commonroom.store.checking import Check
from commonroom.store.checking.related import Fault, Found, RelatedCheck, Rule


def _round_refers(one: Round) -> Iterator[Ref[Any]]:
    yield _group(one)


async def _judge_round(one: Round, found: Found) -> AsyncIterator[Fault]:
    group = found.at(_group(one))
    if isinstance(group, Group) and status_of(one) in OPEN and group.open_round_id != one.round_id:
        yield await _unopened(one, group, found)
        return  # all else when it is known whether it is open
    missing = await _unknown(one, found)
    if missing:
        held = as_read(one, "version", "films", "rated", "pick_id")
        detail = f"It does not know its {' and '.join(missing)}."
        yield Fault("rounds", detail, [update(one.ref, if_=held, **missing)])


async def _unopened(one: Round, group: Group, found: Found) -> Fault:
    """A household has one open round: the last that was begun. Others are over."""
    other_id = group.open_round_id
    other = None if other_id is None else await found.store.get(Round.at(round_id=other_id))
    if other is None or status_of(other) not in OPEN or other.created_at < one.created_at:
        still = equal(open_round_id=other_id) if other_id else absent("open_round_id")
        opened = update(group.ref, open_round_id=one.round_id, if_=still)
        here = check(one, if_=as_read(one, "status"))
        return Fault("rounds", "Its household does not know that it is open.", [here, opened])
    held = check(group, if_=equal(open_round_id=other_id))
    over = update(one.ref, status="expired", if_=one_of("status", *statuses_read_as(*OPEN)))
    return Fault("rounds", "Its household has another open round.", [held, over])


async def _unknown(one: Round, found: Found) -> dict[str, Any]:
    """What a round says nothing of, and others do."""
    at = {"round_id": one.round_id}
    missing: dict[str, Any] = {}
    if not one.films:
        listed = [it async for it in found.store.all(suggestions_of_round(**at))]
        in_order = sorted(listed, key=lambda it: it.position)
        missing["films"] = [it.tmdb_movie_id for it in in_order]
    if not one.rated:
        given = [it async for it in found.store.all(ratings_of_round(**at))]
        missing["rated"] = {it.member_id: it.rating for it in given}
    if one.pick_id is None and status_of(one) in PICKED:
        pick = await found.store.first(pick_of_round(**at))
        missing["pick_id"] = None if pick is None else pick.pick_id
    return {name: it for name, it in missing.items() if it}


def _pick_refers(one: Pick) -> Iterator[Ref[Any]]:
    yield _watched(one)
    yield PendingPick.at(group_id=one.group_id, tmdb_movie_id=one.tmdb_movie_id)
    yield Round.at(round_id=one.round_id)


async def _judge_pick(one: Pick, found: Found) -> AsyncIterator[Fault]:
    round_ = found.at(Round.at(round_id=one.round_id))
    if not isinstance(round_, Round) or found.at(_watched(one)) is not None:
        return
    same = check(one, if_=as_read(one, "watched"))
    if one.watched:
        detail = f"“{one.title}” is missing from what the household has watched."
        yield Fault("watched", detail, [same, create(_film(one, round_))])
    elif status_of(round_) == "selected" and found.at(pending_pick_of(one).ref) is None:
        here = check(round_, if_=as_read(round_, "status"))
        detail = f"“{one.title}” does not know that it was picked."
        yield Fault("picks", detail, [same, here, create(pending_pick_of(one))])


def _film(one: Pick, round_: Round) -> WatchedFilm:
    at = one.watched_at or round_.watched_at or one.picked_at
    return WatchedFilm(
        group_id=one.group_id,
        tmdb_movie_id=one.tmdb_movie_id,
        title=one.title,
        poster_path=one.poster_path,
        watched_at=at,
        marked_by=one.picked_by,
        marked_at=at,
        round_id=one.round_id,
        attendees=round_.attendees,
    )


def _group(one: Round) -> Ref[Group]:
    return Group.at(group_id=one.group_id)


def _watched(one: Pick) -> Ref[WatchedFilm]:
    return WatchedFilm.at(group_id=one.group_id, tmdb_movie_id=one.tmdb_movie_id)


RULES: dict[type[Entity], Rule] = {
    Round: Rule(_round_refers, _judge_round),
    Pick: Rule(_pick_refers, _judge_pick),
}


def checks() -> list[Check]:
    """What is looked at of rounds and picks."""
    return [RelatedCheck(RULES)]
