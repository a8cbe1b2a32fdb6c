"""Films as pages show them, whatever is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from commonroom.http.times import runtime
from commonroom.movienight import words
from commonroom.movienight.tables import Pick, Suggestion, WatchedFilm, Wish
from commonroom.titles.films import Film
from commonroom.titles.posters import Drawing, drawing_of, poster_address
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


def of_film(film: Film) -> FilmCard:
    """Returns a film as a source tells of it."""
    return FilmCard(
        tmdb_movie_id=film.tmdb_movie_id,
        title=film.title,
        year=film.year,
        genres=film.genres,
        certification=film.certification,
        runtime=film.runtime,
        vote_average=film.vote_average,
        overview=film.overview,
        poster_path=film.poster_path,
    )


def of_suggestion(film: Suggestion, places: Mapping[str, str] | None = None) -> FilmCard:
    """Returns a film of a round."""
    return FilmCard(
        tmdb_movie_id=film.tmdb_movie_id,
        title=film.title,
        year=film.year,
        genres=film.genres,
        certification=film.content_rating,
        runtime=film.runtime,
        vote_average=film.vote_average,
        overview=film.overview,
        poster_path=film.poster_path,
        reasons=film.reasons,
        places=places or {},
    )


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
        return of_suggestion(film)
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
