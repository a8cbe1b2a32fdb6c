"""Rounds as the API shows them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.http.projections import Through, projection
from commonroom.movienight.rules.rounds import (
    FilmStanding,
    Liked,
    RatingSummary,
    Status,
    VotedFor,
    status_of,
)
from commonroom.movienight.rules.suggestions import public_reasons
from commonroom.movienight.service import history
from commonroom.movienight.service.rounds.queries import RoundDetails
from commonroom.movienight.tables import Pick, Round, Suggestion

VisibleVotes: TypeAlias = Annotated[
    dict[str, VotedFor],
    Meta(
        description=(
            "Who voted for what. Until the pick only the caller’s own votes, unless votes are open."
        )
    ),
]


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
    votes: VisibleVotes
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


class _Votes(Struct, frozen=True):
    """What is known of the votes on a film."""

    visible: dict[str, VotedFor]
    result: FilmStanding


picked = projection(Pick, PickedFilm)
_film = projection(
    Suggestion,
    RoundFilm,
    _Votes,
    reasons=lambda film: public_reasons(film.reasons),
    votes=lambda _, cast: cast.visible,
    up=lambda _, cast: cast.result.up,
    down=lambda _, cast: cast.result.down,
    net=lambda _, cast: cast.result.net,
    rank=lambda _, cast: cast.result.rank,
    tied=lambda _, cast: cast.result.tied,
)


def _films(seen: RoundDetails) -> list[RoundFilm]:
    standing = {one.tmdb_movie_id: one for one in seen.results}
    return [
        _film(one.film, _Votes(seen.votes_on(one), standing[one.film.tmdb_movie_id]))
        for one in seen.films
    ]


_round = projection(
    Round,
    RoundDetailView,
    RoundDetails,
    status=status_of,
    attendees=lambda _, seen: list(seen.attendees),
    films=lambda _, seen: _films(seen),
    progress=lambda _, seen: RoundProgress(seen.progress.voted, seen.progress.attendees),
    waiting_for=lambda _, seen: seen.waiting_for,
    pick=lambda _, seen: None if seen.pick is None else picked(seen.pick),
    ratings=lambda _, seen: seen.ratings,
    may=lambda _, seen: sorted(seen.may),
)


def round_(seen: RoundDetails) -> RoundDetailView:
    """Returns a round as a member of the household sees it."""
    return _round(seen.round, seen)


past_round = projection(
    history.PastRound,
    PastRoundView,
    round_id="round.round_id",
    status=lambda past: status_of(past.round),
    started_by="round.started_by",
    attendees="round.attendees",
    created_at="round.created_at",
    pick=Through(picked),
)
