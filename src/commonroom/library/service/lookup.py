"""Look-ups: what other people's servers know of a book or a film, offered and never imposed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Annotated, Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Meta, Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.errors import InvalidField, NotFound
from commonroom.library.rules import items as rules
from commonroom.library.rules.items import isbn as fitting_isbn
from commonroom.library.tables import Book, Video
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.texts import clean_lines
from commonroom.titles.films import Film, SearchResult
from commonroom.titles.titles import TitleFacts

T = TypeVar("T")

Source: TypeAlias = Annotated[
    Literal["open_library", "tmdb", "catalogue"],
    Meta(description="The source: Open Library, TMDB, or the built-in film catalogue."),
]

POSTERS = "https://image.tmdb.org/t/p/w342"


LOOK_UPS = Limit("library-look-up", 120, 600)
"""Of one person: as fast as books can be held before a camera."""
MAX_SECONDS = 6.0
"""For everything together; what has not come by then is left out."""
MAX_SOUGHT = 100
MAX_OFFERS = 5
"""Lists tell neither directors nor cast nor duration: each film is asked for by itself."""


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


class LookupResult(Struct, Generic[T], frozen=True):
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
    """Returns a book of Open Library's; None where there is not even a title."""
    fitting = _fit(Book, "title", _cut(title, rules.MAX_TITLE))
    if fitting is None:
        return None
    return BookOffer(
        title=fitting,
        authors=_people(Book, "authors", authors, rules.MAX_PEOPLE),
        summary=_fit(Book, "summary", _cut(summary, rules.MAX_SUMMARY)),
        isbn=isbn,
        picture_url=_fit(Book, "picture_url", picture_url),
        source="open_library",
    )


def video_offer(film: TitleFacts, source: Source) -> VideoOffer | None:
    """Returns a film of the film source's; None where its title is none."""
    title = _fit(Video, "title", _cut(film.title, rules.MAX_TITLE))
    if title is None:
        return None
    picture = None if film.poster_path is None else f"{POSTERS}{film.poster_path}"
    return VideoOffer(
        title=title,
        summary=_fit(Video, "summary", _cut(film.overview, rules.MAX_SUMMARY)),
        directors=_people(Video, "directors", film.makers, rules.MAX_PEOPLE),
        cast=_people(Video, "cast", film.cast, rules.MAX_CAST),
        release_year=_fit(Video, "release_year", film.year),
        duration=_fit(Video, "duration", film.runtime),
        tmdb_id=_fit(Video, "tmdb_id", film.id.tmdb_id),
        picture_url=_fit(Video, "picture_url", picture),
        source=source,
    )


def _fit(kind: type[Book | Video], field: str, value: Any) -> Any:
    """Returns a value as it would be kept; None where it would be refused."""
    try:
        return rules.fit(kind, {field: value})[field]
    except InvalidField:
        return None


def _cut(text: str | None, longest: int) -> str:
    """Returns a text, cut to what fits."""
    composed = clean_lines(text or "")
    if len(composed) <= longest:
        return composed
    return f"{composed[: longest - 1].rstrip()}…"


def _people(kind: type[Book | Video], field: str, names: Iterable[str], most: int) -> list[str]:
    fitting = (_fit(kind, field, [_cut(name, rules.MAX_PERSON)]) for name in names)
    unique = dict.fromkeys(one for kept in fitting if kept for one in kept)
    return list(unique)[:most]


def clean_title(text: str) -> str:
    """Returns a title to look for."""
    plain = " ".join(text.split())
    if not 1 <= len(plain) <= MAX_SOUGHT:
        raise InvalidField("title", f"Enter a title of up to {MAX_SOUGHT} characters.")
    return plain


class BookSource(Protocol):
    """Open Library, or nobody where look-ups are switched off. Neither of them ever fails."""

    @property
    def is_on(self) -> bool:
        """Whether there is anybody to ask."""

    async def book(self, isbn: str) -> LookupResult[BookOffer]:
        """Returns the book with an ISBN, in bounded time."""

    async def close(self) -> None:
        """Cancels the running lookups."""


class NoBooks:
    """Nobody knows books."""

    is_on = False

    async def book(self, isbn: str) -> LookupResult[BookOffer]:  # noqa: ARG002 - whatever it is
        """Nothing."""
        return LookupResult([], [])

    async def close(self) -> None:
        """There is nothing to give up."""


async def look_up_book(ctx: Context, books: BookSource, isbn: str) -> LookupResult[BookOffer]:
    """Returns the book with an ISBN, as the source tells of it; nothing is changed by it."""
    fitting = fitting_isbn(isbn)
    if not books.is_on:
        raise NotFound("Looking up books is turned off here.")
    await count_try(ctx.store, ctx.now, LOOK_UPS, ctx.person.user_id)
    return await books.book(fitting)


def book_source(settings: Settings, fetcher: Fetcher) -> BookSource:
    """Open Library, or nobody where that is switched off."""
    if not settings.book_look_ups:
        return NoBooks()
    from commonroom.library.service.open_library import OpenLibrary

    return OpenLibrary(fetcher, settings.open_library_address)


class FilmFinder(Protocol):
    """What a look-up needs of the film source."""

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        """Films whose title resembles a text, and whether all answered who should."""

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """One film with all that is known of it."""


async def look_up_film(ctx: Context, films: FilmFinder, title: str) -> LookupResult[VideoOffer]:
    """Films of a title, the likeliest first, in bounded time; nothing is changed by it."""
    text = clean_title(title)
    await count_try(ctx.store, ctx.now, LOOK_UPS, ctx.person.user_id)
    until = asyncio.get_running_loop().time() + MAX_SECONDS
    try:
        async with asyncio.timeout_at(until):
            found = await films.search_result(text, MAX_OFFERS)
    except TimeoutError:
        return LookupResult([], ["tmdb"])
    whole = await _whole(films, found.films, until)
    told = [video_offer(film or listed, found.source) for listed, film in whole]
    missing = found.source == "tmdb" and any(film is None for _, film in whole)
    return LookupResult(
        [one for one in told if one is not None], [] if found.answered and not missing else ["tmdb"]
    )


async def _whole(
    films: FilmFinder, listed: list[Film], until: float
) -> list[tuple[Film, Film | None]]:
    """Each film with all that is known of it, or None where that did not come in time."""

    async def one(film: Film) -> Film | None:
        try:
            async with asyncio.timeout_at(until):
                return await films.film(film.tmdb_movie_id)
        except TimeoutError:
            return None

    known = await asyncio.gather(*(one(film) for film in listed))
    return list(zip(listed, known, strict=True))
