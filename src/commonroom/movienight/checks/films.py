"""Films: what was picked waits to be watched, and what was watched is kept as watched.

That a film was watched stands in a pick and its round. `WatchedFilms` is what the rules go by.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from commonroom.movienight.rules.rounds import PICKED, WATCHED, status_of
from commonroom.movienight.service.rounds.picks import pending_pick_of, remove_pending_pick
from commonroom.movienight.service.rounds.queries import get_pick
from commonroom.movienight.tables import (
    Household,
    PendingPick,
    Pick,
    Round,
    Suggestion,
    WatchedFilm,
    Wish,
)
from commonroom.store import (
    Entity,
    Ref,
    Write,
    add,
    as_read,
    check,
    create,
    delete,
    equal,
    new,
    stored,
    update,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule


async def _check_pick(one: Pick, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    round_ = await found.at(_round(one))
    if not isinstance(round_, Round) or await found.at(Household.at(group_id=one.group_id)) is None:
        return  # it goes with them
    status = status_of(round_)
    if status not in PICKED or round_.pick_id not in (None, one.pick_id):
        yield _not_picked(one, round_)
    elif one.watched or status in WATCHED:
        if await found.at(_watched(one)) is None:
            yield await _unkept(one, round_, found)
    elif await found.at(pending_pick_of(one).ref) is None:
        repair = [_same(round_), check(one, if_=stored), create(pending_pick_of(one))]
        yield RelatedProblem(
            "picks", f"Nothing says that “{one.title}” waits to be watched.", repair
        )


def _not_picked(one: Pick, round_: Round) -> RelatedProblem:
    detail = f"Its round has not picked “{one.title}”."
    if one.watched:
        return RelatedProblem("picks", detail)  # a member watched it: nobody but them knows when
    return RelatedProblem(
        "picks", detail, [_same(round_), delete(one, if_=as_read(one, "watched"))]
    )


async def _unkept(one: Pick, round_: Round, found: RelatedItems) -> RelatedProblem:
    film, pending = await found.each([_suggestion(one), pending_pick_of(one).ref])
    at = one.watched_at or round_.watched_at or one.picked_at
    watched = WatchedFilm(
        group_id=one.group_id,
        tmdb_movie_id=one.tmdb_movie_id,
        title=one.title,
        poster_path=one.poster_path,
        year=film.year if isinstance(film, Suggestion) else None,
        genres=film.genres if isinstance(film, Suggestion) else [],
        watched_at=at,
        marked_by=round_.watched_by or one.picked_by,
        marked_at=at,
        round_id=one.round_id,
        attendees=round_.attendees,
    )
    repair = [
        _same(round_),
        check(one, if_=as_read(one, "watched")),
        create(watched),
        *remove_pending_pick(one, pending if isinstance(pending, PendingPick) else None),
    ]
    return RelatedProblem(
        "watched", f"“{one.title}” was watched, and is not kept as watched.", repair
    )


async def _check_pending(one: PendingPick, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    round_ = await found.at(_round(one))
    if isinstance(round_, Round) and status_of(round_) == "selected":
        pick = await get_pick(found.store, round_)
        if pick is not None and pick.tmdb_movie_id == one.tmdb_movie_id:
            return
    if round_ is None or isinstance(round_, Round):
        held = check(_round(one), if_=new) if round_ is None else _same(round_)
        repair = [held, delete(one, if_=equal(round_id=one.round_id))]
        yield RelatedProblem("picks", "No round waits for this film to be watched.", repair)


async def _check_wish(one: Wish, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    group, watched = await found.each([Household.at(group_id=one.group_id), _watched(one)])
    if isinstance(watched, WatchedFilm) and isinstance(group, Household):
        repair = [
            check(watched, if_=stored),
            delete(one, if_=as_read(one, "added_by", "added_at")),
            update(group.ref, wish_count=add(-1)),
        ]
        yield RelatedProblem(
            "wishes", f"“{one.title}” was watched, and is still wished for.", repair
        )


def _same(round_: Round) -> Write:
    return check(round_, if_=as_read(round_, "status", "pick_id"))


def _round(one: Pick | PendingPick) -> Ref[Round]:
    return Round.at(round_id=one.round_id)


def _watched(one: Pick | Wish) -> Ref[WatchedFilm]:
    return WatchedFilm.at(group_id=one.group_id, tmdb_movie_id=one.tmdb_movie_id)


def _suggestion(one: Pick) -> Ref[Suggestion]:
    return Suggestion.at(round_id=one.round_id, tmdb_movie_id=one.tmdb_movie_id)


RULES: dict[type[Entity], Rule] = {
    Pick: _check_pick,
    PendingPick: _check_pending,
    Wish: _check_wish,
}
