"""Films: what the household wishes for, and what it has watched."""

from __future__ import annotations

from msgspec import field

from commonroom.store import Entity, Table, many, number, one

# Two tables beyond the seed, in its style.
wish_list = Table("WishList", room="movienight", partition="group_id", sort=number("tmdb_movie_id"))
watched_films = Table(
    "WatchedFilms", room="movienight", partition="group_id", sort=number("tmdb_movie_id")
)


NOBODY = "nobody"
"""Who added a wish, once they have left."""


class Wish(Entity, table=wish_list):
    """A film that somebody in the household wants to see."""

    group_id: str
    tmdb_movie_id: int
    title: str
    poster_path: str | None = None
    year: int | None = None
    genres: list[str] = field(default_factory=list)
    content_rating: str | None = None
    """Here too, because a wish may enter a round and its ceiling holds for wishes as well."""
    added_by: str
    added_at: str


class WatchedFilm(Entity, table=watched_films):
    """A film that the household has watched, by whatever way: the one truth for “watched”."""

    group_id: str
    tmdb_movie_id: int
    title: str
    poster_path: str | None = None
    year: int | None = None
    watched_at: str
    marked_by: str
    marked_at: str
    """Until 24 hours later it can be undone."""
    round_id: str | None = None
    """The round it was watched in; None where it was marked directly."""


wishes_of_group = many(wish_list, "Get wish list of a group", gives=Wish)
wish = one(wish_list, "Get one wish", gives=Wish)

watched_films_of_group = many(watched_films, "Get watched films of a group", gives=WatchedFilm)
watched_film = one(watched_films, "Get one watched film", gives=WatchedFilm)
