"""TMDB's responses about shows, as far as we need them: forgiven and refused as those on films."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct, field
from msgspec.structs import replace

from commonroom.titles.tmdb.responses import (
    MAX_GENRES,
    CountryTitle,
    Credits,
    Genre,
    Offers,
    Title,
    TmdbFacts,
    TmdbPage,
    TmdbPerson,
    Word,
    bounded,
    decode_film,
    decoded,
    leading,
    listed,
    named,
    nonsense,
    of_region,
    read_page,
    titles_in,
)

MAX_CREATORS = 5


class ShowFacts(TmdbFacts, kw_only=True, omit_defaults=True):
    """What a list says of a show: as of a film, under other names."""

    title: Title = field(name="name")
    original_title: str | None = field(default=None, name="original_name")
    release_date: Word | None = field(default=None, name="first_air_date")


class Findings(Struct, kw_only=True):
    """What another service's id stands for: a film, a show, or neither."""

    movie_results: list[TmdbFacts] = []
    tv_results: list[ShowFacts] = []


class ExternalIds(Struct, omit_defaults=True):
    """What a show is called elsewhere."""

    imdb_id: Word | None = None


class ShowTitles(Struct, omit_defaults=True):
    """What a show is called in other countries."""

    results: list[CountryTitle]


class ShowDetails(ShowFacts, kw_only=True, omit_defaults=True):
    """All of one show."""

    last_air_date: Word | None = None
    status: Word | None = None
    number_of_seasons: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    number_of_episodes: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    genres: list[Genre] | None = None
    created_by: list[TmdbPerson] | None = None
    credits: Credits | None = None
    external_ids: ExternalIds | None = None
    alternative_titles: ShowTitles | None = None
    offers: Offers | None = field(default=None, name="watch/providers")


class _Findings(Struct, kw_only=True):
    """What another service's id stands for, each to be decoded by itself."""

    movie_results: list[Raw] = []
    tv_results: list[Raw] = []


def read_show_listing(text: bytes) -> TmdbPage[ShowFacts]:
    """Returns a page of a list of shows."""
    return read_page(text, _show)


def read_findings(text: bytes) -> Findings:
    """Returns what was found, without what makes no sense."""
    findings = decoded(text, _findings)
    return Findings(
        movie_results=listed(findings.movie_results, decode_film),
        tv_results=listed(findings.tv_results, _show),
    )


def read_show_details(tmdb_show_id: int, region: str, text: bytes) -> ShowDetails:
    """Returns one show; refused where it is another than was asked for."""
    show = decoded(text, _details)
    if show.id != tmdb_show_id:
        raise nonsense()
    return replace(
        bounded(show),
        genres=show.genres and show.genres[:MAX_GENRES],
        created_by=show.created_by and named(show.created_by)[:MAX_CREATORS],
        credits=show.credits and replace(leading(show.credits), crew=None),
        alternative_titles=show.alternative_titles
        and ShowTitles(titles_in(show.alternative_titles.results, region)),
        offers=show.offers and of_region(show.offers, region),
    )


_findings = msgspec.json.Decoder(_Findings).decode
_show = msgspec.json.Decoder(ShowFacts).decode
_details = msgspec.json.Decoder(ShowDetails).decode
