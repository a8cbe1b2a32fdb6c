"""What the API shows of films."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from commonroom.catalog import films
from commonroom.movienight import tables
from commonroom.movienight.rules.rounds import Status, VotedFor, status_of
from commonroom.movienight.service.films import story
from commonroom.web.people.api.views import Moment


class Named(Struct, frozen=True):
    """Something to choose, and what it is called."""

    id: str
    name: str


class Film(Struct, frozen=True):
    """A film."""

    tmdb_movie_id: int
    title: str
    year: int | None
    genres: Annotated[list[str], Meta(description="TMDB genre ids.")]
    runtime: Annotated[int | None, Meta(description="In minutes.")]
    certification: str | None
    directors: list[str]
    cast: list[str]
    vote_average: float | None
    services: Annotated[
        list[str] | None, Meta(description="Streaming services; null where unknown.")
    ]
    poster_path: str | None
    overview: str | None
    imdb_id: str | None


class Wish(Struct, frozen=True):
    """A film that somebody wants to see."""

    tmdb_movie_id: int
    title: str
    year: int | None
    poster_path: str | None
    genres: list[str]
    content_rating: str | None
    added_by: str
    added_at: Moment


class Watched(Struct, frozen=True):
    """When and how a film was watched."""

    watched_at: Moment
    marked_by: str
    round_id: str | None


class VotesInRound(Struct, frozen=True):
    """How a film did in a round."""

    round_id: str
    status: Status
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


class FilmStory(Struct, frozen=True):
    """A film, and what the household knows of it."""

    film: Film
    wish: Wish | None
    watched: Watched | None
    pending_round_id: Annotated[
        str | None, Meta(description="The round that picked it, if it has not been watched since.")
    ]
    past_votes: list[VotesInRound]
    live_votes: VotesInRound | None
    may: Annotated[list[str], Meta(description="What the caller can do now.")]


def film(one: films.Film) -> Film:
    """A film as any source tells of it."""
    return msgspec.convert(one, Film, from_attributes=True)


def wish(one: tables.Wish) -> Wish:
    """A film of the wish list."""
    return msgspec.convert(one, Wish, from_attributes=True)


def film_story(found: story.FilmStory) -> FilmStory:
    """A film as a member of the household sees it."""
    return FilmStory(
        film=film(found.film),
        wish=None if found.wish is None else wish(found.wish),
        watched=(
            None
            if found.watched is None
            else msgspec.convert(found.watched, Watched, from_attributes=True)
        ),
        pending_round_id=None if found.pending is None else found.pending.round_id,
        past_votes=[_votes(one) for one in found.past],
        live_votes=None if found.live is None else _votes(found.live),
        may=sorted(found.may),
    )


def _votes(one: story.VotesInRound) -> VotesInRound:
    return VotesInRound(one.round.round_id, status_of(one.round), one.votes, one.up, one.down)
