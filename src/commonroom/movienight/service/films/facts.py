"""Facts of films: as the film source tells them, and as they were kept."""

from __future__ import annotations

from commonroom.catalog.film_source import FilmSource
from commonroom.catalog.films import CERTIFICATIONS, Film
from commonroom.catalog.genres import GENRES, genre_named
from commonroom.errors import Conflict, NotFound
from commonroom.movienight.tables import Wish


async def known_film(films: FilmSource, tmdb_movie_id: int) -> Film:
    """A film with all that is known of it."""
    film = await films.film(tmdb_movie_id)
    if film is None:
        raise no_such_film()
    return film


def no_such_film() -> NotFound:
    """The refusal for a film that nobody knows."""
    return NotFound("This film does not exist.")


def already_watched() -> Conflict:
    """The refusal for a film that the household has watched."""
    return Conflict("Your household has already watched this film.")


def genre_names(film: Film) -> list[str]:
    """The genres of a film in words, as they are kept."""
    return [GENRES[genre] for genre in film.genres if genre in GENRES]


def film_of(wish: Wish) -> Film:
    """What was kept of a film, where the source no longer tells of it."""
    genres = (genre_named(name) for name in wish.genres)
    return Film(
        tmdb_movie_id=wish.tmdb_movie_id,
        title=wish.title,
        year=wish.year,
        genres=tuple(genre for genre in genres if genre is not None),
        certification=next((one for one in CERTIFICATIONS if one == wish.content_rating), None),
        poster_path=wish.poster_path,
    )
