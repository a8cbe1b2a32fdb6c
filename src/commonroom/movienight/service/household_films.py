"""A film as it stands in a household: for the one page that every film has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.movienight.rules.rounds import Liked, possible_steps, status_of
from commonroom.movienight.service.films import (
    REMEMBERED_ROUNDS,
    FilmStep,
    VotesInRound,
    film_from_wish,
    load_votes,
    steps_outside_rounds,
)
from commonroom.movienight.service.household_context import (
    HouseholdContext,
    context_in,
    household_of,
)
from commonroom.movienight.tables import (
    Household,
    PendingPick,
    Round,
    Suggestion,
    WatchedFilm,
    Wish,
    rounds_of_group,
)
from commonroom.store import Ref
from commonroom.titles.films import Film
from commonroom.titles.genres import genre_named


class HouseholdFilm(Struct, frozen=True, kw_only=True):
    """What a household makes of a film, as one of its members sees it."""

    wish: Wish | None
    watched: WatchedFilm | None
    pending: PendingPick | None
    """The round that picked it, where nobody has watched it since."""
    ratings: dict[str, Liked]
    """How those liked it who watched it last, by member."""
    open_round: Round | None
    """The round that is open, whether the film is in it or not."""
    is_on_shortlist: bool
    """Whether it is in that."""
    people: dict[str, User | None]
    """Those who wished for, marked or watched it; None where deleted."""
    may: frozenset[FilmStep]


class KeptFilm(Struct, frozen=True):
    """A household, and what it keeps of a film."""

    group: Household
    wish: Wish | None
    watched: WatchedFilm | None
    pending: PendingPick | None


async def load_kept(ctx: Context, member: User, tmdb_movie_id: int) -> KeptFilm | None:
    """What the caller's household keeps of a film: one request; None where they have none."""
    group_id = household_of(ctx.person, member)
    if group_id is None:
        return None
    key = {"group_id": group_id, "tmdb_movie_id": tmdb_movie_id}
    refs: list[Ref[Any]] = [
        Household.at(group_id=group_id),
        Wish.at(**key),
        WatchedFilm.at(**key),
        PendingPick.at(**key),
    ]
    group, wish, watched, pending = await ctx.store.batch_get(refs)
    return None if group is None else KeptFilm(group, wish, watched, pending)


async def load_household_film(
    ctx: Context, member: User, tmdb_movie_id: int, kept: KeptFilm
) -> HouseholdFilm:
    """Returns a film in the caller's household, by what that keeps of it: one request, or none."""
    wish, watched, pending = kept.wish, kept.watched, kept.pending
    acting = context_in(ctx, member, kept.group)
    open_id = kept.group.open_round_id
    evening_id = None if watched is None else watched.round_id
    people = list(dict.fromkeys(_named(wish, watched)))
    rounds = [one for one in (open_id, evening_id) if one is not None]
    refs: list[Ref[Any]] = [User.at(user_id=one) for one in people]
    refs += [Round.at(round_id=one) for one in rounds]
    if open_id is not None:
        refs.append(Suggestion.at(round_id=open_id, tmdb_movie_id=tmdb_movie_id))
    found: list[Any] = await ctx.store.batch_get(refs) if refs else []
    by_round = dict(zip(rounds, found[len(people) :], strict=False))
    open_round, evening = by_round.get(open_id or ""), by_round.get(evening_id or "")
    is_on_shortlist = open_id is not None and found[-1] is not None
    steps = steps_outside_rounds(wish, watched, pending, acting)
    if watched is None and not is_on_shortlist and _takes_proposal(acting, open_round):
        steps |= {"propose"}
    return HouseholdFilm(
        wish=wish,
        watched=watched,
        pending=pending,
        ratings={} if evening is None else cast("dict[str, Liked]", evening.rated),
        open_round=open_round,
        is_on_shortlist=is_on_shortlist,
        people=dict(zip(people, found, strict=False)),
        may=steps,
    )


def _takes_proposal(ctx: HouseholdContext, open_round: Round | None) -> bool:
    return open_round is not None and "propose" in possible_steps(
        open_round, ctx.member_id, ctx.group.created_by, ctx.now
    )


def _named(wish: Wish | None, watched: WatchedFilm | None) -> Iterator[str]:
    if wish is not None:
        yield wish.added_by
    if watched is not None:
        yield watched.marked_by
        yield from watched.attendees or ()


class HouseholdVotes(Struct, frozen=True):
    """How a film did in the household's last rounds."""

    live: VotesInRound | None
    """In the round that is being voted on, where it is in that."""
    past: list[VotesInRound]
    """The rounds with votes on it, the newest first."""


async def load_household_votes(
    ctx: Context, member: User, tmdb_movie_id: int
) -> HouseholdVotes | None:
    """How a film did in the last rounds: a query and, where it was in one, a request by key.

    None where nobody voted on it.

    For showing only: a round that an index does not have yet comes a moment later.
    """
    group_id = household_of(ctx.person, member)
    if group_id is None:
        return None
    recent = await ctx.store.page(rounds_of_group(group_id=group_id), limit=REMEMBERED_ROUNDS)
    # Earlier versions did not name the films of a round.
    rounds = [one for one in recent.items if not one.films or tmdb_movie_id in one.films]
    if not rounds:
        return None
    voted = await load_votes(ctx.store, rounds, tmdb_movie_id, member.user_id)
    voting = (one for one in voted if status_of(one.round) == "voting")
    live = next((one for one in voting if tmdb_movie_id in one.round.films), None)
    past = [one for one in voted if one.up + one.down and one is not live]
    return HouseholdVotes(live, past) if live is not None or past else None


async def load_kept_film(ctx: Context, member: User, tmdb_movie_id: int) -> Film | None:
    """Returns what a household kept of a film that no source tells of any longer: one request."""
    group_id = household_of(ctx.person, member)
    if group_id is None:
        return None
    key = {"group_id": group_id, "tmdb_movie_id": tmdb_movie_id}
    refs: list[Ref[Any]] = [Wish.at(**key), WatchedFilm.at(**key)]
    wish, watched = await ctx.store.batch_get(refs)
    if wish is not None:
        return film_from_wish(wish)
    return None if watched is None else film_from_watched(watched)


def film_from_watched(watched: WatchedFilm) -> Film:
    """As much of a watched film as the household kept."""
    genres = (genre_named(name) for name in watched.genres)
    return Film(
        tmdb_id=watched.tmdb_movie_id,
        title=watched.title,
        year=watched.year,
        genres=tuple(genre for genre in genres if genre is not None),
        poster_path=watched.poster_path,
    )
