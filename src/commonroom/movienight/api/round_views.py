"""Rounds as the API shows them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.movienight.rules.rounds import Liked, RatingSummary, Status, VotedFor, status_of
from commonroom.movienight.rules.suggestions import public_reasons
from commonroom.movienight.service import history
from commonroom.movienight.service.rounds.queries import FilmWithVotes, RoundDetails
from commonroom.movienight.tables import Pick


class RoundFilm(Struct, frozen=True):
    """A film on the shortlist, with its votes and how it stands."""

    tmdb_movie_id: int
    position: int
    title: str
    year: int | None
    poster_path: str | None
    genres: list[str]
    content_rating: str | None
    runtime: int | None
    overview: str | None
    vote_average: float | None
    reasons: Annotated[
        list[str],
        Meta(
            description=(
                "Why it was suggested, such as `everyone_likes#35`, `on#netflix`, `on_shelf` or "
                "`from_list`."
            )
        ),
    ]
    proposed_by: str | None
    from_wish_list: bool
    votes: Annotated[
        dict[str, VotedFor],
        Meta(
            description=(
                "Who voted for what. Until the pick only the caller’s own votes, unless votes are "
                "open."
            )
        ),
    ]
    up: int
    down: int
    net: int
    rank: Annotated[int, Meta(description="1 is first; films with equal votes share a rank.")]
    tied: bool


class PickedFilm(Struct, frozen=True):
    """The film that was picked."""

    round_id: str
    tmdb_movie_id: int
    title: str
    poster_path: str | None
    picked_by: str
    picked_at: Moment
    watched: bool
    watched_at: Moment | None


class RoundProgress(Struct, frozen=True):
    """How many have voted."""

    voted: int
    attendees: int


class RoundDetailView(Struct, frozen=True):
    """A round with its films, votes and results."""

    round_id: str
    group_id: str
    status: Status
    started_by: str
    attendees: list[str]
    created_at: Moment
    voting_started_at: Moment | None
    selected_at: Moment | None
    watched_at: Moment | None
    rated_at: Moment | None
    watched_by: str | None
    abandoned_by: Annotated[
        str | None,
        Meta(description="Who ended it without a film; null where it expired by itself."),
    ]
    relaxed_constraints: Annotated[
        list[str],
        Meta(description="Filters that were relaxed to find films: `genres`, `votes`, `year`."),
    ]
    films: list[RoundFilm]
    progress: RoundProgress
    waiting_for: Annotated[list[str], Meta(description="Who takes part and has not voted.")]
    votes_are_open: Annotated[
        bool, Meta(description="Whether everyone sees who votes for what before the pick.")
    ]
    pick: PickedFilm | None
    ratings: dict[str, Liked]
    may: Annotated[list[str], Meta(description="What the caller can do now.")]
    version: int


class PastRoundView(Struct, frozen=True):
    """A round in the history."""

    round_id: str
    status: Status
    started_by: str
    attendees: list[str] | None
    created_at: Moment
    pick: PickedFilm | None
    ratings: RatingSummary


def round_(seen: RoundDetails) -> RoundDetailView:
    """Returns a round as a member of the household sees it."""
    round_ = seen.round
    standing = {one.tmdb_movie_id: one for one in seen.results}

    def film(one: FilmWithVotes) -> RoundFilm:
        shown, result = one.film, standing[one.film.tmdb_movie_id]
        return RoundFilm(
            shown.tmdb_movie_id,
            shown.position,
            shown.title,
            shown.year,
            shown.poster_path,
            shown.genres,
            shown.content_rating,
            shown.runtime,
            shown.overview,
            shown.vote_average,
            public_reasons(shown.reasons),
            shown.proposed_by,
            shown.from_wish_list,
            seen.votes_on(one),
            result.up,
            result.down,
            result.net,
            result.rank,
            result.tied,
        )

    return RoundDetailView(
        round_id=round_.round_id,
        group_id=round_.group_id,
        status=status_of(round_),
        started_by=round_.started_by,
        attendees=list(seen.attendees),
        created_at=round_.created_at,
        voting_started_at=round_.voting_started_at,
        selected_at=round_.selected_at,
        watched_at=round_.watched_at,
        rated_at=round_.rated_at,
        watched_by=round_.watched_by,
        abandoned_by=round_.abandoned_by,
        relaxed_constraints=round_.relaxed_constraints,
        films=[film(one) for one in seen.films],
        progress=RoundProgress(seen.progress.voted, seen.progress.attendees),
        waiting_for=seen.waiting_for,
        votes_are_open=round_.votes_are_open,
        pick=None if seen.pick is None else picked(seen.pick),
        ratings=seen.ratings,
        may=sorted(seen.may),
        version=round_.version,
    )


def past_round(past: history.PastRound) -> PastRoundView:
    """Returns a round of the history."""
    return PastRoundView(
        round_id=past.round.round_id,
        status=status_of(past.round),
        started_by=past.round.started_by,
        attendees=past.round.attendees,
        created_at=past.round.created_at,
        pick=None if past.pick is None else picked(past.pick),
        ratings=past.ratings,
    )


def picked(pick: Pick) -> PickedFilm:
    """Returns a pick."""
    return msgspec.convert(pick, PickedFilm, from_attributes=True)
