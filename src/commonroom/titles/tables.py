"""What is stored of films and shows: titles (watchlists' model), TMDB's answers (movie night's).

Every room profits from both, so they stand below the rooms.
"""

from __future__ import annotations

from msgspec import field

from commonroom.store import Entity, Index, Keys, Table, keys_of, many, one
from commonroom.titles.titles import Certification, ContentType, ShowStatus

worth_watch = Table(
    "WorthWatch",
    room="watchlists",
    version=2,
    partition="PK",
    sort="SK",
    discriminator="entityType",
    stream=True,
    indexes=[
        Index("GSI1", "email"),
        Index("GSI2", "curatorId", "createdAt"),
        Index("GSI3", "isPublicStr", "createdAt"),
        Index("GSI4", "entityType", "createdAt", keys_only=True),
        # Beyond the data model: from a title to the marks of those who have seen it.
        Index("GSI5", "seenTitle", keys_only=True),
    ],
)


class Title(Entity, rename="camel"):
    """What films and shows have in common."""

    title: str
    genres: list[str] = field(default_factory=list)
    """By name."""
    cast: list[str] = field(default_factory=list)
    synopsis: str | None = None
    poster_url: str | None = None
    """Where this server has the poster of its source, or the address of a picture that an
    administrator entered."""
    rating: float | None = None
    """The average of all ratings."""
    tmdb_id: str | None = None
    imdb_id: str | None = None
    created_at: str
    updated_at: str

    # Beyond the data model: what the average is made of, changed in the same write as a rating.
    rating_count: int = 0
    rating_sum: int = 0
    rating_spread: dict[str, int] = field(default_factory=dict)
    """How often each number from 1 to 10 was given."""
    unrated_review_count: int = 0
    """How many reviews come without a rating: no average counts them."""

    # Beyond the data model: what a source says, and who makes changes.
    source_rating: float | None = None
    """The average of the source, out of ten."""
    source_votes: int | None = None
    """How many voted there; None where the rating is our own."""
    popularity: float = 0
    other_titles: list[str] = field(default_factory=list)
    """What it is called besides: originally, or elsewhere."""
    made_by: str | None = None
    """The administrator who made or changed it: what a source says counts no longer."""
    removed_at: str | None = None
    """Since when it is on its way out: nobody sees it, and what people said of it goes first."""
    is_unused: bool = False
    """Whether it is about to be deleted because nobody uses it: using it keeps it."""
    merged_into: str | None = None
    """The id of the title that it turned out to be: it leads there, with all that people said."""
    told_at: str | None = None
    """When TMDB last told of it."""
    is_unlisted: bool = False
    """Whether only an imported file tells of it, and no public list shows it: it is met
    only by those whose lists and ratings lead there."""
    version: int = 1

    unversioned = frozenset(
        {
            *("rating", "rating_count", "rating_sum", "rating_spread", "unrated_review_count"),
            "told_at",
        }
    )


class Movie(Title, table=worth_watch, kind="MOVIE"):
    """A film."""

    movie_id: str
    release_year: int | None = None
    directors: list[str] = field(default_factory=list)
    runtime: int | None = None
    """Minutes."""
    certification: Certification | None = None
    """Beyond the data model."""

    keys = Keys(PK="MOVIE#{movie_id}", SK="METADATA")


class Show(Title, table=worth_watch, kind="SHOW"):
    """A series."""

    show_id: str
    start_year: int | None = None
    end_year: int | None = None
    creators: list[str] = field(default_factory=list)
    number_of_seasons: int | None = None
    number_of_episodes: int | None = None
    status: ShowStatus | None = None

    keys = Keys(PK="SHOW#{show_id}", SK="METADATA")


class TmdbClaim(Entity, table=worth_watch, kind="TMDB_CLAIM", rename="camel"):
    """A title's claim to its TMDB id: one TMDB id is one title."""

    content_type: ContentType
    tmdb_id: str
    content_id: str

    keys = Keys(PK="TMDB#{content_type}#{tmdb_id}", SK="CLAIM")


movie_by_id = one(worth_watch, "Get movie by ID", gives=Movie)
show_by_id = one(worth_watch, "Get show by ID", gives=Show)
titles_of_type = keys_of(
    many(
        worth_watch,
        "List stored films or shows, newest first",
        index="GSI4",
        partition="{entity_type}",
        newest_first=True,
        gives=(Movie, Show),
    )
)
tmdb_claim = one(worth_watch, "Get which title claims a TMDB id", gives=TmdbClaim)

tmdb_cache = Table("TmdbCache", room="movienight", partition="cache_key", ttl="ttl")


class CachedResponse(Entity, table=tmdb_cache):
    """An answer of TMDB, kept for a while."""

    cache_key: str
    """Hash of the request."""
    response_data: str
    """The answer as JSON text."""
    cached_at: str
    ttl: int


cached_response = one(tmdb_cache, "Cache lookup", gives=CachedResponse)

tables = [tmdb_cache]
