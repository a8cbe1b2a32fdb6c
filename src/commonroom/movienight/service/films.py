"""Films: what is known of one, and its story in a household."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from commonroom.errors import Conflict, NotFound
from commonroom.movienight.rules.rounds import (
    VotedFor,
    can_be_undone,
    visible_votes,
    with_current_status,
)
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.queries import get_attendees
from commonroom.movienight.tables import (
    PendingPick,
    Round,
    Suggestion,
    Vote,
    WatchedFilm,
    Wish,
    rounds_of_group,
)
from commonroom.store import Ref, Store
from commonroom.titles.films import CERTIFICATIONS, Film, FilmSource
from commonroom.titles.genres import GENRES, genre_named


async def get_film(films: FilmSource, tmdb_movie_id: int) -> Film:
    """Returns a film with all that is known of it."""
    film = await films.film(tmdb_movie_id)
    if film is None:
        raise no_such_film()
    return film


def no_such_film() -> NotFound:
    """Returns the refusal for a film that nobody knows."""
    return NotFound("This film does not exist.")


def already_watched(_watched: WatchedFilm | None) -> Conflict:
    """Returns the refusal for a film that the household has watched."""
    return Conflict("Your household has already watched this film.")


def genre_names(film: Film) -> list[str]:
    """Returns the genres of a film in words, as they are kept."""
    return [GENRES[genre] for genre in film.genres if genre in GENRES]


def film_from_wish(wish: Wish) -> Film:
    """Returns what was kept of a film, where the source no longer tells of it."""
    genres = (genre_named(name) for name in wish.genres)
    return Film(
        tmdb_id=wish.tmdb_movie_id,
        title=wish.title,
        year=wish.year,
        genres=tuple(genre for genre in genres if genre is not None),
        certification=next((one for one in CERTIFICATIONS if one == wish.content_rating), None),
        poster_path=wish.poster_path,
    )


REMEMBERED_ROUNDS = 10

FilmStep: TypeAlias = Literal["wish", "unwish", "mark", "undo", "propose"]
"""What can be done with a film: outside a round, and for the one that is open."""


class VotesInRound(Struct, frozen=True):
    """How a film did in a round."""

    round: Round
    votes: dict[str, VotedFor]
    """By member, as far as the caller may see them."""
    up: int
    down: int

    @property
    def empty(self) -> int:
        """How many took part and did not vote on it."""
        return max(0, len(self.round.attendees or ()) - self.up - self.down)


class FilmStory(Struct, frozen=True, kw_only=True):
    """A film as one member of the household sees it."""

    film: Film
    wish: Wish | None
    watched: WatchedFilm | None
    pending: PendingPick | None
    """The round that picked it, where nobody has watched it since."""
    past: list[VotesInRound]
    """The rounds with votes on it, the newest first."""
    live: VotesInRound | None
    """How it does in the open round, where it is in that."""
    may: frozenset[FilmStep]
    """What the member can do now."""


async def load_film_story(
    ctx: HouseholdContext, films: FilmSource, tmdb_movie_id: int
) -> FilmStory:
    """What the household knows of a film: three requests.

    A round of an earlier version, which does not name its attendees, needs one more.
    """
    told, kept, recent = await ctx.store.gather(
        films.film(tmdb_movie_id),
        _load_related(ctx, tmdb_movie_id),
        ctx.store.page(rounds_of_group(group_id=ctx.group_id), limit=REMEMBERED_ROUNDS),
    )
    rounds = [one for one in recent.items if one.round_id != kept.open_id]
    if kept.open is not None:
        rounds.append(kept.open)
    voted = await load_votes(ctx.store, rounds, tmdb_movie_id, ctx.member_id)
    return FilmStory(
        film=told or kept.film(),
        wish=kept.wish,
        watched=kept.watched,
        pending=kept.pending,
        past=[one for one in voted if one.up + one.down and one.round.round_id != kept.open_id],
        live=next((one for one in voted if one.round.round_id == kept.open_id), None),
        may=steps_outside_rounds(kept.wish, kept.watched, kept.pending, ctx),
    )


class _StoredFilm(Struct, frozen=True):
    """What is stored of a film, and the open round where it is in that."""

    wish: Wish | None
    watched: WatchedFilm | None
    pending: PendingPick | None
    open_id: str | None = None
    open: Round | None = None

    def film(self) -> Film:
        """Returns what was kept of the film, for where the source does not know it."""
        if self.wish is not None:
            return film_from_wish(self.wish)
        if (seen := self.watched) is None:
            raise no_such_film()
        return Film(
            tmdb_id=seen.tmdb_movie_id,
            title=seen.title,
            year=seen.year,
            poster_path=seen.poster_path,
        )


async def _load_related(ctx: HouseholdContext, tmdb_movie_id: int) -> _StoredFilm:
    group_id, open_id = ctx.group_id, ctx.group.open_round_id
    refs: list[Ref[Any]] = [
        Wish.at(group_id=group_id, tmdb_movie_id=tmdb_movie_id),
        WatchedFilm.at(group_id=group_id, tmdb_movie_id=tmdb_movie_id),
        PendingPick.at(group_id=group_id, tmdb_movie_id=tmdb_movie_id),
    ]
    if open_id is None:
        return _StoredFilm(*await ctx.store.batch_get(refs))
    refs += [
        Round.at(round_id=open_id),
        Suggestion.at(round_id=open_id, tmdb_movie_id=tmdb_movie_id),
    ]
    wish, watched, pending, open_, entered = await ctx.store.batch_get(refs)
    return _StoredFilm(wish, watched, pending, open_id, open_ if entered is not None else None)


async def load_votes(
    store: Store, rounds: Sequence[Round], tmdb_movie_id: int, member_id: str
) -> list[VotesInRound]:
    """Returns the votes on a film in some rounds, in one request."""
    refs = [
        Vote.at(round_id=one.round_id, tmdb_movie_id=tmdb_movie_id, member_id=member)
        for one in rounds
        for member in await get_attendees(store, one)
    ]
    votes: dict[str, dict[str, VotedFor]] = {one.round_id: {} for one in rounds}
    for vote in await store.batch_get(refs):
        if vote is not None:
            votes[vote.round_id][vote.member_id] = vote.vote
    return [_votes_in(one, votes[one.round_id], member_id) for one in rounds]


def _votes_in(round_: Round, votes: dict[str, VotedFor], member_id: str) -> VotesInRound:
    up = list(votes.values()).count("up")
    seen = visible_votes(round_, votes, member_id)
    return VotesInRound(with_current_status(round_), seen, up, len(votes) - up)


def steps_outside_rounds(
    wish: Wish | None,
    watched: WatchedFilm | None,
    pending: PendingPick | None,
    ctx: HouseholdContext,
) -> frozenset[FilmStep]:
    """Returns what a member can do with a film, whatever round is open."""
    found: set[FilmStep] = set()
    if watched is None or pending is not None:
        found.add("mark")
    if watched is None and wish is None:
        found.add("wish")
    if (
        watched is not None
        and can_be_undone(watched, ctx.now)
        and _is_theirs(watched.marked_by, ctx)
    ):
        found.add("undo")
    if wish is not None and _is_theirs(wish.added_by, ctx):
        found.add("unwish")
    return frozenset(found)


def _is_theirs(member_id: str, ctx: HouseholdContext) -> bool:
    return ctx.is_creator or member_id == ctx.member_id
