"""Starting a round: a shortlist for those who watch, another one, and then the vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from commonroom.catalog.film_source import FilmSource
from commonroom.errors import Conflict, Refusal
from commonroom.moments import iso
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.rounds.company import chosen_company, company
from commonroom.movienight.service.rounds.holding import (
    carry_out,
    check_state,
    household_refusal,
    in_state,
    membership_refusal,
    steering,
    unchanged,
)
from commonroom.movienight.service.rounds.one_open import opened
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.rounds.shortlist import Shortlist, next_shortlist, shortlist
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import (
    Group,
    Membership,
    Round,
    Suggestion,
    suggestions_of_round,
)
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    check,
    create,
    delete,
    put,
    stored,
    update,
)


async def create_round(
    store: Store,
    now: float,
    films: FilmSource,
    seat: Seat,
    *,
    attendees: Sequence[str] | None = None,
    wishes: bool = False,
) -> Round:
    """A draft with a shortlist, in a household that has no open round."""
    if seat.group.open_round_id is not None:
        raise household_refusal(seat.group)
    chosen = await chosen_company(store, seat, attendees)
    round_id = str(uuid4())
    found = await shortlist(store, films, seat.group, chosen, round_id=round_id, wishes=wishes)
    watching = [one.member.user_id for one in chosen]
    round_ = Round(
        round_id=round_id,
        group_id=seat.group_id,
        started_by=seat.member_id,
        attendees=watching,
        created_at=iso(now),
        relaxed_constraints=found.relaxed,
        updated_at=iso(now),
        moved_by=seat.person.user_id,
        votes_are_open=seat.group.votes_are_open,
        shown=found.shown,
    )
    # Everybody who takes part is still here when this is written, and so is whoever starts it.
    ids = dict.fromkeys([seat.member_id, *watching])
    members = [Membership.at(group_id=seat.group_id, user_id=one) for one in ids]
    try:
        await store.write(
            opened(now, seat.group_id, round_id),
            *(check(member, if_=stored) for member in members),
            create(round_),
            *map(create, found.films),
        )
    except ConditionFailed as failed:
        raise _not_created(failed, seat) from None
    return round_


async def shuffle(store: Store, now: float, films: FilmSource, seat: Seat, round_id: str) -> None:
    """Another shortlist for a draft: what it has not shown yet, as long as there is any."""
    round_ = await round_in(store, seat, round_id)
    may = steering(seat, round_)
    check_state(round_, "draft")
    last = (await store.page(suggestions_of_round(round_id=round_id))).items
    watching = await company(store, seat, round_.attendees)
    if not watching:
        raise Conflict("No one who was going to watch is in the household any more.")
    found = await next_shortlist(store, films, seat.group, watching, round_=round_, last=last)
    try:
        await carry_out(store, seat, ("draft",), *redrafted(now, round_, last, found), may)
    except ConditionFailed:
        raise retry.conflict() from None


def redrafted(
    now: float, round_: Round, last: Sequence[Suggestion], found: Shortlist, **changes: Any
) -> list[Write]:
    """A draft with another shortlist in place of its last, and whatever else changes in it."""
    kept = {one.tmdb_movie_id for one in found.films}
    changed = update(
        Round.at(round_id=round_.round_id),
        relaxed_constraints=found.relaxed,
        shown=found.shown,
        updated_at=iso(now),
        if_=in_state("draft") & unchanged(round_),
        **changes,
    )
    gone = [delete(one) for one in last if one.tmdb_movie_id not in kept]
    return [changed, *(put(one) for one in found.films), *gone]


async def start_voting(store: Store, now: float, seat: Seat, round_id: str) -> None:
    """From the draft to the vote."""
    round_ = await round_in(store, seat, round_id)
    started = update(
        Round.at(round_id=round_id),
        status="voting",
        voting_started_at=iso(now),
        shown=[],  # nobody shuffles from here on, and every vote rewrites the round
        moved_by=seat.person.user_id,
        updated_at=iso(now),
        if_=in_state("draft"),
    )
    await carry_out(store, seat, ("draft",), started, steering(seat, round_))


def _not_created(failed: ConditionFailed, seat: Seat) -> Refusal:
    if failed.operation.entity_type is Group:
        return household_refusal(failed.entity)
    own = Membership.at(group_id=seat.group_id, user_id=seat.member_id)
    if failed.operation.operation.key == own.key:
        return membership_refusal(None)
    return Conflict("Someone who was going to watch has just left. Please try again.")
