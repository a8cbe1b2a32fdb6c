"""Films as pages show them, whatever is known of them, and where those of a round are from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from commonroom.http.projections import projection
from commonroom.http.request import Request
from commonroom.http.times import runtime
from commonroom.joins.film_sources import FilmAtHand, FilmAvailability, FilmSuggestions
from commonroom.joins.rooms import first_offer
from commonroom.movienight import words
from commonroom.movienight.rules.suggestions import FROM_LIST, LENT_OUT, ON_SHELF
from commonroom.movienight.tables import Pick, Suggestion, WatchedFilm, Wish
from commonroom.titles.films import Film
from commonroom.titles.posters import Drawing, drawing_of, poster_address
from commonroom.titles.titles import TitleId
from commonroom.titles.words import genre_name


class FilmCard(Struct, frozen=True, kw_only=True):
    """A film; texts are put into words when they are shown."""

    tmdb_movie_id: int
    title: str
    year: int | None = None
    genres: Sequence[str] = ()
    """TMDB's ids, or English names as rounds and lists keep them."""
    certification: str | None = None
    runtime: int | None = None
    vote_average: float | None = None
    overview: str | None = None
    poster_path: str | None = None
    reasons: Sequence[str] = ()
    """Codes, as the round keeps them."""
    places: Mapping[str, str] = {}
    """What the caller may know by name, such as whose shelf it is on: words for some codes."""

    @property
    def address(self) -> str:
        """Its page."""
        return f"/films/{self.tmdb_movie_id}"

    @property
    def facts(self) -> list[str]:
        """Year, length and rating, as far as they are known."""
        known = (
            None if self.year is None else str(self.year),
            runtime(self.runtime) if self.runtime else None,
            self.certification,
        )
        return [fact for fact in known if fact]

    @property
    def score(self) -> str | None:
        """What people elsewhere gave it, out of ten."""
        return f"{self.vote_average:.1f}" if self.vote_average else None

    @property
    def genre_names(self) -> list[str]:
        """Its genres in words."""
        return [genre_name(genre) for genre in self.genres]

    @property
    def why(self) -> list[str]:
        """Why it is here, in words."""
        told = (self.places.get(code) or words.reason(code) for code in self.reasons)
        return [reason for reason in told if reason]

    @property
    def poster(self) -> str | None:
        """Where its poster is."""
        return poster_address(self.poster_path)

    @property
    def drawing(self) -> Drawing:
        """What is drawn in place of a poster."""
        return drawing_of(self.title)


of_film = projection(Film, FilmCard, reasons=lambda _: (), places=lambda _: {})
"""A film as a source tells of it."""
of_suggestion = projection(
    Suggestion,
    FilmCard,
    dict[str, str],
    certification="content_rating",
    places=lambda _, places: places,
)
"""A film of a round, and what of its reasons is said by name."""


def of_wish(wish: Wish) -> FilmCard:
    """Returns a film of the wish list."""
    return FilmCard(
        tmdb_movie_id=wish.tmdb_movie_id,
        title=wish.title,
        year=wish.year,
        genres=wish.genres,
        certification=wish.content_rating,
        poster_path=wish.poster_path,
    )


def of_pick(pick: Pick, film: Suggestion | None = None) -> FilmCard:
    """Returns a film that was picked; with all that the round knew of it, where that is at hand."""
    if film is not None:
        return of_suggestion(film, {})
    return FilmCard(
        tmdb_movie_id=pick.tmdb_movie_id, title=pick.title, poster_path=pick.poster_path
    )


def of_watched(watched: WatchedFilm) -> FilmCard:
    """Returns a film that was watched."""
    return FilmCard(
        tmdb_movie_id=watched.tmdb_movie_id,
        title=watched.title,
        year=watched.year,
        genres=watched.genres,
        poster_path=watched.poster_path,
    )


FilmPlaces: TypeAlias = Mapping[int, dict[str, str]]
"""By film and reason: what of it is said by name."""
NOWHERE: FilmPlaces = MappingProxyType({})
SHELVES = frozenset({ON_SHELF, LENT_OUT})


async def load_places(request: Request, films: Sequence[Suggestion]) -> FilmPlaces:
    """Returns the reasons that the caller may know by name, in words, by film and reason.

    No request where no film is from a shelf or a list; else what the rooms state that have them.
    They decide for the caller, each time: a round keeps no name.
    """
    shelved = await _load_shelved(request, films)
    lists = await _load_lists(request, films)
    return {one.tmdb_movie_id: _places(one, shelved, lists) for one in films}


def _places(
    film: Suggestion, shelved: Mapping[TitleId, FilmAtHand], lists: Mapping[str, str]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for why in film.reasons:
        at_hand = shelved.get(_film(film).id) if why in SHELVES else None
        text = lists.get(_list_id(why)) if at_hand is None else at_hand.text
        if text is not None:
            found[why] = text
    return found


async def _load_shelved(
    request: Request, films: Sequence[Suggestion]
) -> Mapping[TitleId, FilmAtHand]:
    source = first_offer(request, FilmAvailability)
    on_shelf = [_film(one) for one in films if not SHELVES.isdisjoint(one.reasons)]
    return {} if source is None or not on_shelf else await source.find(request, on_shelf)


async def _load_lists(request: Request, films: Sequence[Suggestion]) -> Mapping[str, str]:
    source = first_offer(request, FilmSuggestions)
    named = {found for one in films for why in one.reasons if (found := _list_id(why))}
    return {} if source is None or not named else await source.reasons(request, sorted(named))


def _list_id(reason: str) -> str:
    kind, _separator, about = reason.partition("#")
    return about if kind == FROM_LIST else ""


def _film(one: Suggestion) -> Film:
    return Film(tmdb_id=one.tmdb_movie_id, title=one.title, year=one.year)
