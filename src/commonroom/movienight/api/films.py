"""Films: finding them, what the household knows of them, and what there is to choose from."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import Through, projection
from commonroom.http.request import Request
from commonroom.movienight.api.round_views import VisibleVotes
from commonroom.movienight.api.wishes import WishView, wish_view
from commonroom.movienight.request import (
    ContextInPath,
    FilmInPath,
    Films,
    HouseholdId,
    RoundHistoryPaging,
)
from commonroom.movienight.rules.rounds import RatingSummary, Status, status_of
from commonroom.movienight.service import films as service
from commonroom.movienight.service import history, watched
from commonroom.movienight.tables import WatchedFilm
from commonroom.titles import films as catalog_films
from commonroom.titles import search
from commonroom.titles.genres import GENRES
from commonroom.titles.streaming_services import SERVICES

HOUSEHOLD = "/households/{group_id:str}"


api = Operations("Movie night: films")


class FilmSearch(Struct, frozen=True, forbid_unknown_fields=True):
    """Which films to look for."""

    title: Annotated[
        str, Meta(min_length=1, max_length=200, description="A title, or part of one.")
    ]


class NamedChoice(Struct, frozen=True):
    """Something to choose, and what it is called."""

    id: str
    name: str


class FilmView(Struct, frozen=True):
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


film_view = projection(catalog_films.Film, FilmView, directors=lambda film: film.makers)


class Watched(Struct, frozen=True):
    """When and how a film was watched."""

    watched_at: Moment
    marked_by: str
    round_id: str | None


class FilmVotesView(Struct, frozen=True):
    """How a film did in a round."""

    round_id: str
    status: Status
    votes: VisibleVotes
    up: int
    down: int


class FilmStoryView(Struct, frozen=True):
    """A film, and what the household knows of it."""

    film: FilmView
    wish: WishView | None
    watched: Watched | None
    pending_round_id: Annotated[
        str | None, Meta(description="The round that picked it, if it has not been watched since.")
    ]
    past_votes: list[FilmVotesView]
    live_votes: FilmVotesView | None
    may: Annotated[list[str], Meta(description="What the caller can do now.")]


class PastFilmView(Struct, frozen=True):
    """A film that was watched, and how it was liked."""

    tmdb_movie_id: int
    title: str
    year: int | None
    poster_path: str | None
    watched_at: Moment
    marked_by: str
    round_id: Annotated[
        str | None, Meta(description="The round it was watched in; null outside a round.")
    ]
    ratings: RatingSummary


@api.get("/films", Need.SIGNED_IN)
async def search_films(request: Request, sought: FilmSearch) -> PagedList[FilmView]:
    """Search films by title, the likeliest first; also by a link or an id of IMDb or TMDB."""
    found = await search.search_films(request, sought.title)
    return PagedList([film_view(one) for one in found], None)


@api.get(f"{HOUSEHOLD}/films/{{tmdb_movie_id:str}}", Need.SIGNED_IN, errors=(404,))
async def get_film(ctx: ContextInPath, films: Films, film: FilmInPath) -> FilmStoryView:
    """Get a film, and what the household knows of it."""
    return film_story(await service.load_film_story(ctx, films, film))


@api.get(f"{HOUSEHOLD}/watched", Need.SIGNED_IN, errors=(404,))
async def list_watched(
    ctx: Ctx, household_id: HouseholdId, paging: RoundHistoryPaging
) -> PagedList[PastFilmView]:
    """List all films that the household watched, in a round or not, the last one first."""
    found = await history.list_watched_films(
        ctx.store, household_id, limit=paging.limit, cursor=paging.cursor
    )
    return PagedList([past_film(one) for one in found.items], found.cursor)


@api.put(f"{HOUSEHOLD}/watched/{{tmdb_movie_id:str}}", Need.SIGNED_IN, errors=(404, 409))
async def mark_film_watched(ctx: ContextInPath, films: Films, film: FilmInPath) -> None:
    """Say that the household has watched a film.

    Where a round has picked it, this is the same as marking that round as watched.
    """
    await watched.mark_watched(ctx, films, film)


@api.delete(f"{HOUSEHOLD}/watched/{{tmdb_movie_id:str}}", Need.SIGNED_IN, errors=(404, 409))
async def unmark_film_watched(ctx: ContextInPath, film: FilmInPath) -> None:
    """Take that back, within a day: the person who said so and the creator may.

    What followed goes back too: the film's round to its pick, its wish to the wish list. Ratings
    stay.
    """
    await watched.undo_watched(ctx, film)


@api.get("/genres", Need.SIGNED_IN)
async def list_genres() -> PagedList[NamedChoice]:
    """List the genres that can be liked."""
    return PagedList([NamedChoice(genre, name) for genre, name in GENRES.items()], None)


@api.get("/streaming-services", Need.SIGNED_IN)
async def list_streaming_services() -> PagedList[NamedChoice]:
    """List the streaming services that a household can have."""
    return PagedList([NamedChoice(one.slug, one.name) for one in SERVICES.values()], None)


_votes = projection(
    service.VotesInRound,
    FilmVotesView,
    round_id="round.round_id",
    status=lambda one: status_of(one.round),
)
film_story = projection(
    service.FilmStory,
    FilmStoryView,
    film=Through(film_view),
    wish=Through(wish_view),
    watched=Through(projection(WatchedFilm, Watched)),
    pending_round_id=lambda story: None if story.pending is None else story.pending.round_id,
    past_votes=lambda story: [_votes(one) for one in story.past],
    live_votes=lambda story: None if story.live is None else _votes(story.live),
    may=lambda story: sorted(story.may),
)
past_film = projection(
    history.PastFilm,
    PastFilmView,
    tmdb_movie_id="watched.tmdb_movie_id",
    title="watched.title",
    year="watched.year",
    poster_path="watched.poster_path",
    watched_at="watched.watched_at",
    marked_by="watched.marked_by",
    round_id="watched.round_id",
)
