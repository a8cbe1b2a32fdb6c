"""Films: what the household wishes for, and what it has watched."""

from __future__ import annotations

from msgspec import Struct, field

from commonroom.store import Entity, Index, Table, many, number, one

# Three tables beyond the data model, in its style.
wish_list = Table("WishList", room="movienight", partition="group_id", sort=number("tmdb_movie_id"))
watched_films = Table(
    "WatchedFilms",
    room="movienight",
    partition="group_id",
    sort=number("tmdb_movie_id"),
    indexes=[Index("group-watched-index", "group_id", "watched_at")],
    stream=True,
    version=2,
)
pending_picks = Table(
    "PendingPicks", room="movienight", partition="group_id", sort=number("tmdb_movie_id")
)


NOBODY = "nobody"
"""Who added a wish, once they have left."""


class Wish(Entity, table=wish_list):
    """A film that a member of the household wants to see."""

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


class RemovedWish(Struct, frozen=True):
    """What a wish was before its film was watched, to be restored with an undo."""

    added_by: str
    added_at: str
    genres: list[str] = []
    content_rating: str | None = None


class EarlierWatch(Struct, frozen=True):
    """When and how a film was watched before, to be restored with an undo."""

    watched_at: str
    marked_by: str
    marked_at: str
    round_id: str | None = None
    attendees: list[str] | None = None


class WatchedFilm(Entity, table=watched_films):
    """A film that the household has watched, by whatever way: the one truth for “watched”."""

    group_id: str
    tmdb_movie_id: int
    title: str
    poster_path: str | None = None
    year: int | None = None
    genres: list[str] = field(default_factory=list)
    watched_at: str
    marked_by: str
    marked_at: str
    """Until 24 hours later it can be undone."""
    round_id: str | None = None
    """The round it was watched in; None where it was marked directly."""
    attendees: list[str] | None = None
    """Who watched it: those of the round, or the household's members; None in earlier versions."""
    wish: RemovedWish | None = None
    earlier: list[EarlierWatch] = field(default_factory=list)
    """The newest last: a film can be watched again where several rounds picked it."""


class PendingPick(Entity, table=pending_picks):
    """A film that a round has picked and nobody has watched: what a film's own page goes by.

    Where several rounds picked it, the last one counts. Rounds that were picked before this was
    kept are found through the index of picks.
    """

    group_id: str
    tmdb_movie_id: int
    round_id: str


wishes_of_group = many(wish_list, "Get wish list of a group", gives=Wish)
wish = one(wish_list, "Get one wish", gives=Wish)

watched_films_of_group = many(watched_films, "Get watched films of a group", gives=WatchedFilm)
watched_film = one(watched_films, "Get one watched film", gives=WatchedFilm)
watched_history = many(
    watched_films,
    "Watched films of a group by day",
    index="group-watched-index",
    newest_first=True,
    gives=WatchedFilm,
)

pending_pick = one(pending_picks, "Get the round that picked a film", gives=PendingPick)
pending_picks_of_group = many(pending_picks, "Get pending picks of a group", gives=PendingPick)
