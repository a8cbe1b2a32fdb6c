"""TMDB's responses, as far as we need them, and why there is none.

What is missing is forgiven; what cannot be true is refused. Only what is needed is kept, in TMDB's
own shape: what was read once and written down again reads the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Annotated, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct, field
from msgspec.structs import replace

from commonroom.errors import CommonroomError

T = TypeVar("T")
F = TypeVar("F", bound="TmdbFacts")
MAX_ID = 2**31 - 1
MAX_LISTED = 40
MAX_GENRES = 20
MAX_RELEASES = 50
MAX_CAST = 5
MAX_DIRECTORS = 5
MAX_OFFERS = 100
MAX_TITLES = 8
MAX_TITLE = 200
MAX_OVERVIEW = 1000
MAX_NAME = 100
Id = Annotated[int, Meta(ge=1, le=MAX_ID)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
Title = Annotated[str, Meta(pattern=r"\S")]
Word = Annotated[str, Meta(max_length=100)]


class TmdbUnavailable(CommonroomError):
    """TMDB gives no answer that could be used."""

    status: ClassVar[int] = 503
    title = "TMDB is not available"


class Failed(TmdbUnavailable):
    """TMDB is in trouble: it cannot be reached, fails, or answers nonsense."""


class TokenRefused(TmdbUnavailable):
    """TMDB does not know the access token."""


class Resting(TmdbUnavailable):
    """TMDB is left alone for a while; why was told when that began."""


class NotThere(TmdbUnavailable):
    """TMDB answers, and knows nothing of this."""

    status: ClassVar[int] = 404


class TmdbFacts(Struct, kw_only=True, omit_defaults=True):
    """What a list says of a title, which is what lists and details have in common."""

    id: Id
    title: Title
    original_title: str | None = None
    release_date: Word | None = None
    popularity: Annotated[float, Meta(ge=0, le=1e9)] | None = None
    vote_average: Annotated[float, Meta(ge=0, le=10)] | None = None
    vote_count: Count | None = None
    poster_path: Word | None = None
    overview: str | None = None
    adult: bool | None = None
    genre_ids: list[int] | None = None
    """In lists; details have genres."""


class TmdbPage(Struct, Generic[F], kw_only=True):
    """A page of a list."""

    results: list[F]
    total_pages: Count = 1


class Genre(Struct):
    """A genre of a film."""

    id: int


class Release(Struct, omit_defaults=True):
    """A release of a film in a country: 1 to 3 are in cinemas."""

    certification: Word | None = None
    type: int | None = None


class CountryReleases(Struct):
    """The releases of a film in one country."""

    iso_3166_1: Word
    release_dates: list[Release]


class Releases(Struct):
    """The releases of a film in all countries."""

    results: list[CountryReleases]


class TmdbPerson(Struct, omit_defaults=True):
    """Who had a part in a film."""

    name: str | None = None
    job: str | None = None
    order: int | None = None


class Credits(Struct, omit_defaults=True):
    """Who made a film."""

    cast: list[TmdbPerson] | None = None
    crew: list[TmdbPerson] | None = None


class Provider(Struct):
    """A streaming service, by TMDB's number."""

    provider_id: int


class Country(Struct, omit_defaults=True):
    """The services that offer a film to their subscribers in a country."""

    flatrate: list[Provider] | None = None


class Offers(Struct):
    """Who has a film, by country."""

    results: dict[str, Country]


class CountryTitle(Struct):
    """What a title is called in a country."""

    iso_3166_1: Word
    title: str


class CountryTitles(Struct, omit_defaults=True):
    """What a film is called in other countries."""

    titles: list[CountryTitle]


class Details(TmdbFacts, kw_only=True, omit_defaults=True):
    """All of one film."""

    genres: list[Genre] | None = None
    runtime: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    imdb_id: Word | None = None
    release_dates: Releases | None = None
    credits: Credits | None = None
    alternative_titles: CountryTitles | None = None
    offers: Offers | None = field(default=None, name="watch/providers")


class Welcome(Struct):
    """Whether we are known."""

    success: bool


class _RawPage(Struct, kw_only=True):
    """A page of a list whose titles are read one by one, as some may make no sense."""

    results: list[Raw]
    total_pages: Count = 1


def read_listing(text: bytes) -> TmdbPage[TmdbFacts]:
    """Returns a page of a list of films."""
    return read_page(text, decode_film)


def read_page(text: bytes, decode: Callable[[Raw], F]) -> TmdbPage[F]:
    """Returns a page of a list, without those titles of it that make no sense."""
    page = decoded(text, _page)
    titles = listed(page.results, decode)
    if page.results and not titles:
        raise nonsense()
    return TmdbPage(results=titles, total_pages=page.total_pages)


def read_details(tmdb_movie_id: int, region: str, text: bytes) -> Details:
    """Returns one film; refused where it is another than was asked for."""
    film = decoded(text, _details)
    if film.id != tmdb_movie_id:
        raise nonsense()
    return replace(
        bounded(film),
        genres=film.genres and film.genres[:MAX_GENRES],
        release_dates=film.release_dates and _american(film.release_dates),
        credits=film.credits and leading(film.credits),
        alternative_titles=film.alternative_titles
        and CountryTitles(titles_in(film.alternative_titles.titles, region)),
        offers=film.offers and of_region(film.offers, region),
    )


def read_offers(region: str, text: bytes) -> Offers:
    """Returns who has a film in a country."""
    return of_region(decoded(text, _offers), region)


def read_welcome(text: bytes) -> Welcome:
    """Whether we are known."""
    return decoded(text, _welcome)


_page = msgspec.json.Decoder(_RawPage).decode
decode_film = msgspec.json.Decoder(TmdbFacts).decode
_details = msgspec.json.Decoder(Details).decode
_offers = msgspec.json.Decoder(Offers).decode
_welcome = msgspec.json.Decoder(Welcome).decode


def decoded(text: bytes, decode: Callable[[bytes], T]) -> T:
    """Returns a response as it is read; refused where it is nonsense."""
    try:
        return decode(text)
    # Nested too deeply; not UTF-8; not JSON, or of another shape.
    except (RecursionError, UnicodeDecodeError, msgspec.MsgspecError):
        raise nonsense() from None


def listed(raw: Iterable[Raw], decode: Callable[[Raw], F]) -> list[F]:
    """Returns the first titles of a list that make sense."""
    titles = []
    for one in islice(raw, MAX_LISTED):
        with suppress(UnicodeDecodeError, msgspec.MsgspecError):
            titles.append(bounded(decode(one)))
    return titles


def bounded(facts: F) -> F:
    """Returns facts of a title without what is too long of them."""
    overview = facts.overview and facts.overview[:MAX_OVERVIEW]
    original = facts.original_title and facts.original_title.strip()[:MAX_TITLE]
    genres = facts.genre_ids and facts.genre_ids[:MAX_GENRES]
    title = facts.title.strip()[:MAX_TITLE]
    return replace(facts, title=title, original_title=original, overview=overview, genre_ids=genres)


def _american(releases: Releases) -> Releases:
    countries = [one for one in releases.results if one.iso_3166_1 == "US"][:1]
    return Releases(
        [replace(one, release_dates=one.release_dates[:MAX_RELEASES]) for one in countries]
    )


def leading(everyone: Credits) -> Credits:
    """Returns the first names of the cast, and the directors."""
    cast = sorted(everyone.cast or (), key=lambda one: (one.order is None, one.order or 0))
    directors = [one for one in everyone.crew or () if one.job == "Director"]
    return Credits(named(cast)[:MAX_CAST], named(directors)[:MAX_DIRECTORS])


def named(people: list[TmdbPerson]) -> list[TmdbPerson]:
    """People with a name, which is cut where it is too long."""
    return [replace(one, name=one.name[:MAX_NAME]) for one in people if one.name]


def titles_in(titles: list[CountryTitle], region: str) -> list[CountryTitle]:
    """Returns what a title is called in one country, and where English is spoken most."""
    chosen = [one for one in titles if one.iso_3166_1 in (region, "US", "GB") and one.title.strip()]
    chosen.sort(key=lambda one: one.iso_3166_1 != region)
    return [replace(one, title=one.title.strip()[:MAX_TITLE]) for one in chosen[:MAX_TITLES]]


def of_region(offers: Offers, region: str) -> Offers:
    """Returns who has a title in one country."""
    country = offers.results.get(region)
    if country is None:
        return Offers({})
    return Offers({region: Country((country.flatrate or [])[:MAX_OFFERS])})


def nonsense() -> Failed:
    """Returns the error for what cannot be true."""
    return Failed("TMDB sent an invalid response.")
