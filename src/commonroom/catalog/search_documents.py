"""Films and shows as search knows them: those that come with Commonroom, and those stored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import log10

from commonroom.catalog.builtin import known_films, known_shows, known_title
from commonroom.catalog.genres import genre_names
from commonroom.catalog.tables import Movie, Show, Title
from commonroom.catalog.titles import ContentType, TitleFacts, TitleId
from commonroom.search.documents import Document, Searchable

KINDS: Mapping[ContentType, str] = {"MOVIE": "film", "SHOW": "show"}

FAMOUS, UNKNOWN = 900, 100
"""How popular the best known title is that comes with Commonroom, and one that does not."""
MOST_BY_RATINGS = 100
BY_RATINGS = 40
"""What ten ratings of people here add, a hundred twice as much."""


def film_document(film: Movie) -> Document | None:
    """A stored film, unless nobody is to come across it."""
    title = TitleId("MOVIE", film.movie_id)
    return _stored(film, title, film.directors, film.release_year)


def show_document(show: Show) -> Document | None:
    """A stored show, unless nobody is to come across it."""
    return _stored(show, TitleId("SHOW", show.show_id), show.creators, show.start_year)


def _stored(stored: Title, title: TitleId, makers: list[str], year: int | None) -> Document | None:
    if stored.removed_at is not None or stored.is_unlisted:
        return None
    known = known_title(title)
    fame = UNKNOWN if known is None else _fame(known)
    by_ratings = min(MOST_BY_RATINGS, int(BY_RATINGS * log10(1 + stored.rating_count)))
    return Document(
        kind=KINDS[title.content_type],
        id=title.content_id,
        title=stored.title,
        address=title.address,
        names=(*makers, *stored.cast),
        text=stored.synopsis or "",
        year=year,
        genres=tuple(stored.genres),
        popularity=fame + by_ratings,
    )


def _builtin(facts: TitleFacts) -> Document:
    return Document(
        kind=KINDS[facts.content_type],
        id=facts.content_id,
        title=facts.title,
        address=facts.id.address,
        names=(*facts.makers, *facts.cast),
        text=facts.overview or "",
        year=facts.year,
        genres=tuple(genre_names(facts.genres)),
        popularity=_fame(facts),
    )


def _fame(facts: TitleFacts) -> int:
    """By its place among all that come with Commonroom: so films and shows can be compared."""
    count = len(known_films() if facts.content_type == "MOVIE" else known_shows())
    return UNKNOWN + round((FAMOUS - UNKNOWN) * facts.popularity / count)


@cache
def _builtin_films() -> Mapping[str, Document]:
    return {one.content_id: _builtin(one) for one in known_films()}


@cache
def _builtin_shows() -> Mapping[str, Document]:
    return {one.content_id: _builtin(one) for one in known_shows()}


FILMS = Searchable(
    kind=KINDS["MOVIE"],
    entity=Movie,
    id_field="movie_id",
    document=film_document,
    builtin=_builtin_films,
)
SHOWS = Searchable(
    kind=KINDS["SHOW"],
    entity=Show,
    id_field="show_id",
    document=show_document,
    builtin=_builtin_shows,
)
