"""The shapes of TMDB's answers, as far as we need them; anything else of them is not looked at."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

HIGHEST_ID = 2**31 - 1

Id = Annotated[int, Meta(ge=1, le=HIGHEST_ID)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
Title = Annotated[str, Meta(pattern=r"\S")]
Word = Annotated[str, Meta(max_length=100)]


class Facts(Struct, kw_only=True, omit_defaults=True):
    """What lists and details have in common."""

    id: Id
    title: Title
    release_date: Word | None = None
    popularity: Annotated[float, Meta(ge=0, le=1e9)] | None = None
    vote_average: Annotated[float, Meta(ge=0, le=10)] | None = None
    vote_count: Count | None = None
    poster_path: Word | None = None
    overview: str | None = None
    adult: bool | None = None


class Listed(Facts, kw_only=True, omit_defaults=True):
    """A film in a list."""

    genre_ids: list[int] | None = None


class Listing(Struct, kw_only=True):
    """A page of a list."""

    results: list[Listed]
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


class Person(Struct, omit_defaults=True):
    """Who had a part in a film."""

    name: str | None = None
    job: str | None = None
    order: int | None = None


class Credits(Struct, omit_defaults=True):
    """Who made a film."""

    cast: list[Person] | None = None
    crew: list[Person] | None = None


class Provider(Struct):
    """A streaming service, by TMDB's number."""

    provider_id: int


class Country(Struct, omit_defaults=True):
    """Who has a film in a country for whoever subscribes."""

    flatrate: list[Provider] | None = None


class Offers(Struct):
    """Who has a film, by country."""

    results: dict[str, Country]


class Details(Facts, kw_only=True, omit_defaults=True):
    """All of one film."""

    genres: list[Genre] | None = None
    runtime: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    imdb_id: Word | None = None
    release_dates: Releases | None = None
    credits: Credits | None = None
    offers: Offers | None = field(default=None, name="watch/providers")


class Welcome(Struct):
    """Whether we are known."""

    success: bool
