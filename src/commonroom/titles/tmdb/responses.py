"""TMDB's responses, as far as we need them, and why there is none.

What is missing is forgiven; what cannot be true is refused. Only what is needed is kept, in TMDB's
own shape: what was read once and written down again reads the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, TypeVar

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
    """What lists and details have in common."""

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


class TmdbListedFilm(TmdbFacts, kw_only=True, omit_defaults=True):
    """A film in a list."""

    genre_ids: list[int] | None = None


class TmdbPage(Struct, kw_only=True):
    """A page of a list."""

    results: list[TmdbListedFilm]
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


class _FilmPage(Struct, kw_only=True):
    """A page of a list whose films are read one by one, as some may make no sense."""

    results: list[Raw]
    total_pages: Count = 1


def read_listing(text: bytes) -> TmdbPage:
    """Returns a page of a list, without those films of it that make no sense."""
    page = decoded(text, _listing)
    films = [film for one in page.results[:MAX_LISTED] if (film := listed_film(one)) is not None]
    if page.results and not films:
        raise nonsense()
    return TmdbPage(results=films, total_pages=page.total_pages)


def read_details(tmdb_movie_id: int, region: str, text: bytes) -> Details:
    """Returns one film; refused where it is another than was asked for."""
    film = decoded(text, _details)
    if film.id != tmdb_movie_id:
        raise nonsense()
    return replace(
        _bounded(film),
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


_listing = msgspec.json.Decoder(_FilmPage).decode
_listed = msgspec.json.Decoder(TmdbListedFilm).decode
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


def listed_film(raw: Raw) -> TmdbListedFilm | None:
    """Returns a film of a list; None where it makes no sense."""
    try:
        film = _listed(raw)
    except (UnicodeDecodeError, msgspec.MsgspecError):
        return None
    return replace(_bounded(film), genre_ids=film.genre_ids and film.genre_ids[:MAX_GENRES])


def _bounded(film: F) -> F:
    overview = film.overview and film.overview[:MAX_OVERVIEW]
    original = film.original_title and film.original_title.strip()[:MAX_TITLE]
    title = film.title.strip()[:MAX_TITLE]
    return replace(film, title=title, original_title=original, overview=overview)


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
