"""Films and shows as search knows them: those that come with Commonroom, and those stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import log10

from msgspec.structs import replace

from commonroom.search.documents import Document, Searchable
from commonroom.titles.builtin import known_films, known_shows, known_title
from commonroom.titles.genres import genre_names
from commonroom.titles.stored_titles import Stored, facts_of
from commonroom.titles.tables import Movie, Show
from commonroom.titles.title_links import tmdb_alias
from commonroom.titles.titles import ContentType, TitleFacts

KINDS: Mapping[ContentType, str] = {"MOVIE": "film", "SHOW": "show"}
CONTENT_TYPES: Mapping[str, ContentType] = {kind: of for of, kind in KINDS.items()}

FAMOUS, KNOWN, UNKNOWN = 900, 500, 100
"""How popular the best known title is that comes with Commonroom, the least known of these, and one
of which nothing is said."""
MAX_VOTES = 30_000
"""So many votes at a source make a title as popular as it can be."""
MAX_BY_RATINGS = 100
BY_RATINGS = 40
"""What ten ratings of people here add, a hundred twice as much."""


def stored_document(stored: Stored) -> Document | None:
    """Returns a stored title, unless nobody is to come across it."""
    if stored.removed_at is not None or stored.is_unlisted:
        return None
    document = title_document(facts_of(stored))
    by_ratings = min(MAX_BY_RATINGS, int(BY_RATINGS * log10(1 + stored.rating_count)))
    return replace(document, popularity=document.popularity + by_ratings)


def title_document(facts: TitleFacts) -> Document:
    """Returns the search document of a title."""
    return Document(
        kind=KINDS[facts.content_type],
        id=facts.content_id,
        title=facts.title,
        address=facts.id.address,
        aliases=(*facts.other_titles, *_ids(facts)),
        names=(*facts.other_titles, *facts.makers, *facts.cast),
        text=facts.overview or "",
        year=facts.year,
        genres=tuple(genre_names(facts.genres)),
        popularity=_popularity(facts),
    )


def _ids(facts: TitleFacts) -> Iterator[str]:
    """Yields what a title is called by others' numbers; `known_id` reads them in a link."""
    if facts.imdb_id is not None:
        yield facts.imdb_id
    if facts.tmdb_id is not None:
        yield tmdb_alias(facts.content_type, facts.tmdb_id)


def _popularity(facts: TitleFacts) -> int:
    """By its place among all that come with Commonroom, or else by its source's votes."""
    known = known_title(facts.id)
    if known is not None:
        # So films and shows can be compared.
        count = len(known_films() if facts.content_type == "MOVIE" else known_shows())
        return KNOWN + round((FAMOUS - KNOWN) * known.popularity / count)
    share = min(1.0, log10(1 + (facts.vote_count or 0)) / log10(MAX_VOTES))
    return UNKNOWN + round((FAMOUS - UNKNOWN) * share)


@cache
def _builtin_films() -> Mapping[str, Document]:
    return {one.content_id: title_document(one) for one in known_films()}


@cache
def _builtin_shows() -> Mapping[str, Document]:
    return {one.content_id: title_document(one) for one in known_shows()}


FILMS = Searchable(
    kind=KINDS["MOVIE"],
    entity=Movie,
    id_field="movie_id",
    document=stored_document,
    builtin=_builtin_films,
)
SHOWS = Searchable(
    kind=KINDS["SHOW"],
    entity=Show,
    id_field="show_id",
    document=stored_document,
    builtin=_builtin_shows,
)
