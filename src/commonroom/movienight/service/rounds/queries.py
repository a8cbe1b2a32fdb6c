"""Queries for a round: all that a page or a program shows of it, in few requests."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, cast

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.movienight.rules.rounds import (
    OPEN,
    PICKED,
    FilmStanding,
    Liked,
    RoundStep,
    VoteCount,
    VotedFor,
    VotingProgress,
    possible_steps,
    progress,
    rank_results,
    status_of,
    still_here,
    visible_votes,
    with_current_status,
)
from commonroom.movienight.service.household_context import (
    HouseholdContext,
    find_household_context_and,
)
from commonroom.movienight.service.rounds.conditions import no_such_round, round_at
from commonroom.movienight.tables import (
    Pick,
    Round,
    Suggestion,
    Vote,
    members_of_group,
    pick_of_round,
    ratings_of_round,
    suggestions_of_round,
    votes_of_round,
)
from commonroom.store import Ref, Store
from commonroom.store.store import MAX_PAGE


async def get_attendees(store: Store, round_: Round) -> list[str]:
    """Who takes part; a request only where the round does not say, which means everybody."""
    if round_.attendees is not None:
        return round_.attendees
    members = (await store.page(members_of_group(group_id=round_.group_id))).items
    return [one.user_id for one in members]


async def get_ratings(store: Store, round_: Round) -> dict[str, Liked]:
    """Who has rated, and how; a request only where nothing happened since an earlier version."""
    if round_.version or status_of(round_) not in PICKED:
        return cast("dict[str, Liked]", round_.rated)
    ratings = (await store.page(ratings_of_round(round_id=round_.round_id))).items
    return {one.member_id: one.rating for one in ratings}


async def get_pick(store: Store, round_: Round) -> Pick | None:
    """Returns the pick of a round that has one; earlier versions kept it beside the round only."""
    if round_.pick_id is not None:
        return await store.get(Pick.at(pick_id=round_.pick_id))
    # Such a pick was made long ago, so the index shows it.
    return await store.first(pick_of_round(round_id=round_.round_id))


async def get_votes(store: Store, round_id: str) -> list[Vote]:
    """Returns all votes of a round: one request."""
    return (await store.page(votes_of_round(round_id=round_id), limit=MAX_PAGE)).items


class FilmWithVotes(Struct, frozen=True):
    """A film of a round, and who voted how on it; not all may see that."""

    film: Suggestion
    votes: dict[str, VotedFor]


class RoundDetails(Struct, frozen=True, kw_only=True):
    """A round as one member of the household sees it."""

    round: Round
    """Its state is named as today, whichever version wrote it."""
    films: list[FilmWithVotes]
    """In the order in which they are shown."""
    results: list[FilmStanding]
    """The film that is ahead comes first."""
    progress: VotingProgress
    attendees: dict[str, User | None]
    """Those who take part; None for a deleted member. Until the pick, only who is still here."""
    waiting_for: list[str]
    """Those still here who have not voted on anything."""
    people: dict[str, User | None]
    """Everybody whom the round names: those who take part, who started it and who picked."""
    pick: Pick | None
    ratings: dict[str, Liked]
    """Who rated how."""
    may: frozenset[RoundStep]
    """What the member can do now."""
    member_id: str
    """Who sees it."""

    def votes_on(self, film: FilmWithVotes) -> dict[str, VotedFor]:
        """Returns who voted how on a film, as far as the member may see it."""
        return visible_votes(self.round, film.votes, self.member_id)


class RoundContext(Struct, frozen=True):
    """A household context, and a round of that household that was read along with it."""

    ctx: HouseholdContext
    round: Round


async def find_round_context(ctx: Context, member: User, round_id: str) -> RoundContext | None:
    """Returns a round and the caller's household context: one request; None without a household."""
    if ctx.person.household_id is None:
        return None
    acting, found = await find_household_context_and(ctx, member, round_at(round_id))
    return None if acting is None else RoundContext(acting, _in_household(acting, found))


async def get_round(ctx: HouseholdContext, round_id: str) -> Round:
    """Returns a round of this household: one request."""
    return _in_household(ctx, await ctx.store.get(round_at(round_id)))


def _in_household(ctx: HouseholdContext, found: Round | None) -> Round:
    if found is None or found.group_id != ctx.group_id:
        raise no_such_round()
    return found


async def load_round(ctx: HouseholdContext, round_id: str) -> RoundDetails:
    """Returns a round with everything in it, as it is now: four requests."""
    return await load_details(RoundContext(ctx, await get_round(ctx, round_id)))


async def load_details(at: RoundContext) -> RoundDetails:
    """Returns all that is in a round: three requests, however many take part.

    A round of an earlier version, which names neither attendees nor pick, may need three more, and
    one that was picked by a creator of former days another.
    """
    ctx, round_, round_id = at.ctx, at.round, at.round.round_id
    attendees = await get_attendees(ctx.store, round_)
    suggestions, votes, (people, pick) = await ctx.store.gather(
        ctx.store.page(suggestions_of_round(round_id=round_id)),
        get_votes(ctx.store, round_id),
        _named(ctx, round_, attendees),
    )
    here = still_here(attendees, people, ctx.group_id)
    if status_of(round_) in OPEN:
        attendees = here
    films = _films(suggestions.items, votes, frozenset(attendees))
    voters = set().union(*(one.votes for one in films))
    return RoundDetails(
        round=with_current_status(round_),
        films=films,
        results=rank_results([_counted(one) for one in films]),
        progress=progress(voters, attendees),
        attendees={member: people[member] for member in attendees},
        waiting_for=[one for one in here if one not in voters],
        people=people,
        pick=pick,
        ratings=await get_ratings(ctx.store, round_),
        may=possible_steps(
            round_,
            ctx.member_id,
            ctx.group.created_by,
            ctx.now,
        ),
        member_id=ctx.member_id,
    )


async def _named(
    ctx: HouseholdContext, round_: Round, attendees: Sequence[str]
) -> tuple[dict[str, User | None], Pick | None]:
    """Returns everybody whom a round names, and its pick, in one request."""
    # The person who picked is one of these, unless they were the creator then and are not now.
    ids = list(dict.fromkeys([*attendees, round_.started_by, ctx.group.created_by]))
    refs: list[Ref[Any]] = [User.at(user_id=one) for one in ids]
    if round_.pick_id is not None:
        refs.append(Pick.at(pick_id=round_.pick_id))
    found = await ctx.store.batch_get(refs)
    people = dict(zip(ids, found, strict=False))
    if round_.pick_id is not None:
        pick = found[-1]
    else:
        pick = await get_pick(ctx.store, round_) if status_of(round_) in PICKED else None
    if pick is not None and pick.picked_by not in people:
        people[pick.picked_by] = await ctx.store.get(User.at(user_id=pick.picked_by))
    return people, pick


def _films(
    suggestions: Sequence[Suggestion], votes: Sequence[Vote], voters: Collection[str]
) -> list[FilmWithVotes]:
    """Returns the films in the order in which they are shown; every vote is looked at once."""
    ordered = sorted(suggestions, key=lambda film: (film.position, film.tmdb_movie_id))
    on: dict[int, dict[str, VotedFor]] = {film.tmdb_movie_id: {} for film in ordered}
    for vote in votes:
        if vote.member_id in voters and vote.tmdb_movie_id in on:
            on[vote.tmdb_movie_id][vote.member_id] = vote.vote
    return [FilmWithVotes(film, on[film.tmdb_movie_id]) for film in ordered]


def _counted(seen: FilmWithVotes) -> VoteCount:
    up = list(seen.votes.values()).count("up")
    return VoteCount(seen.film.tmdb_movie_id, seen.film.popularity, up, len(seen.votes) - up)


async def present_attendees(store: Store, round_: Round) -> set[str]:
    """Returns those who take part and are still in the household: one request."""
    attendees = await get_attendees(store, round_)
    found = await store.batch_get([User.at(user_id=one) for one in attendees])
    people = dict(zip(attendees, found, strict=True))
    return set(still_here(attendees, people, round_.group_id))
