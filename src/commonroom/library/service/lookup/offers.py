"""What a look-up offers: the fields of an item as they could be kept. Nothing is changed by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from commonroom.catalog.films import Film
from commonroom.errors import InvalidField
from commonroom.library.rules import items as rules
from commonroom.library.tables import Book, Video
from commonroom.texts import clean_lines

T = TypeVar("T")

Source: TypeAlias = Annotated[
    Literal["open_library", "tmdb", "catalogue"],
    Meta(description="The source: Open Library, TMDB, or the built-in film catalogue."),
]

POSTERS = "https://image.tmdb.org/t/p/w342"


class BookOffer(Struct, frozen=True, kw_only=True):
    """A book as a source tells of it."""

    title: str
    authors: list[str]
    summary: str | None
    isbn: str
    picture_url: str | None
    source: Source


class VideoOffer(Struct, frozen=True, kw_only=True):
    """A film as a source tells of it."""

    title: str
    summary: str | None
    directors: list[str]
    cast: list[str]
    release_year: int | None
    duration: Annotated[int | None, Meta(description="Minutes.")]
    tmdb_id: int | None
    picture_url: str | None
    source: Source


class Offered(Struct, Generic[T], frozen=True):
    """What was found, and which sources did not answer: there may be more than is offered."""

    offers: list[T]
    unanswered: Annotated[
        list[Source],
        Meta(description="Sources that did not answer in time: there may be more results."),
    ]


def book_offer(
    isbn: str,
    *,
    title: str | None,
    authors: Iterable[str] = (),
    summary: str | None = None,
    picture_url: str | None = None,
) -> BookOffer | None:
    """A book of Open Library's; None where there is not even a title."""
    fitting = _fit(Book, "title", title, _cut(rules.LONGEST_TITLE))
    if fitting is None:
        return None
    return BookOffer(
        title=fitting,
        authors=_people(Book, "authors", authors, rules.MOST_PEOPLE),
        summary=_fit(Book, "summary", summary, _cut(rules.LONGEST_SUMMARY)),
        isbn=isbn,
        picture_url=_fit(Book, "picture_url", picture_url),
        source="open_library",
    )


def video_offer(film: Film, source: Source) -> VideoOffer | None:
    """A film of the film source's; None where its title is none."""
    title = _fit(Video, "title", film.title, _cut(rules.LONGEST_TITLE))
    if title is None:
        return None
    picture = None if film.poster_path is None else f"{POSTERS}{film.poster_path}"
    return VideoOffer(
        title=title,
        summary=_fit(Video, "summary", film.overview, _cut(rules.LONGEST_SUMMARY)),
        directors=_people(Video, "directors", film.directors, rules.MOST_PEOPLE),
        cast=_people(Video, "cast", film.cast, rules.MOST_CAST),
        release_year=_fit(Video, "release_year", film.year),
        duration=_fit(Video, "duration", film.runtime),
        tmdb_id=_fit(Video, "tmdb_id", film.tmdb_movie_id),
        picture_url=_fit(Video, "picture_url", picture),
        source=source,
    )


def _fit(
    kind: type[Book | Video], field: str, value: Any, cut: Callable[[Any], Any] | None = None
) -> Any:
    """A value as it would be kept, cut to what fits; None where it would be refused."""
    try:
        return rules.fit(kind, {field: value if cut is None or value is None else cut(value)})[
            field
        ]
    except InvalidField:
        return None


def _cut(longest: int) -> Callable[[str], str]:
    def cut(text: str) -> str:
        composed = clean_lines(text)
        if len(composed) <= longest:
            return composed
        return f"{composed[: longest - 1].rstrip()}…"

    return cut


def _people(kind: type[Book | Video], field: str, names: Iterable[str], most: int) -> list[str]:
    fitting = (_fit(kind, field, [_cut(rules.LONGEST_PERSON)(name)]) for name in names)
    unique = dict.fromkeys(one for kept in fitting if kept for one in kept)
    return list(unique)[:most]
