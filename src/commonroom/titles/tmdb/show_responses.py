"""TMDB's responses about shows, as far as we need them: forgiven and refused as those on films."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct, field
from msgspec.structs import replace

from commonroom.titles.tmdb.responses import (
    MAX_GENRES,
    MAX_LISTED,
    MAX_OVERVIEW,
    MAX_TITLE,
    Count,
    CountryTitle,
    Credits,
    Genre,
    Id,
    Offers,
    Title,
    TmdbListedFilm,
    TmdbPerson,
    Word,
    decoded,
    leading,
    listed_film,
    named,
    nonsense,
    of_region,
    titles_in,
)

MAX_CREATORS = 5
S = TypeVar("S", bound="ShowFacts")


class ShowFacts(Struct, kw_only=True, omit_defaults=True):
    """What lists and details have in common."""

    id: Id
    name: Title
    original_name: str | None = None
    first_air_date: Word | None = None
    popularity: Annotated[float, Meta(ge=0, le=1e9)] | None = None
    vote_average: Annotated[float, Meta(ge=0, le=10)] | None = None
    vote_count: Count | None = None
    poster_path: Word | None = None
    overview: str | None = None
    adult: bool | None = None


class ListedShow(ShowFacts, kw_only=True, omit_defaults=True):
    """A show in a list."""

    genre_ids: list[int] | None = None


class ShowListing(Struct, kw_only=True):
    """A page of a list."""

    results: list[ListedShow]


class Findings(Struct, kw_only=True):
    """What another service's id stands for: a film, a show, or neither."""

    movie_results: list[TmdbListedFilm] = []
    tv_results: list[ListedShow] = []


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


class _ShowPage(Struct):
    """A page of a list whose shows are read one by one, as some may make no sense."""

    results: list[Raw]


def read_show_listing(text: bytes) -> ShowListing:
    """Returns a page of a list, without those shows of it that make no sense."""
    page = decoded(text, _listing)
    shows = [show for one in page.results[:MAX_LISTED] if (show := _listed_show(one)) is not None]
    if page.results and not shows:
        raise nonsense()
    return ShowListing(results=shows)


def read_findings(text: bytes) -> Findings:
    """Returns what was found, without what makes no sense."""
    findings = decoded(text, _findings)
    films = [film for raw in findings.movie_results[:MAX_LISTED] if (film := listed_film(raw))]
    shows = [show for raw in findings.tv_results[:MAX_LISTED] if (show := _listed_show(raw))]
    return Findings(movie_results=films, tv_results=shows)


def read_show_details(tmdb_show_id: int, region: str, text: bytes) -> ShowDetails:
    """Returns one show; refused where it is another than was asked for."""
    show = decoded(text, _details)
    if show.id != tmdb_show_id:
        raise nonsense()
    return replace(
        _bounded(show),
        genres=show.genres and show.genres[:MAX_GENRES],
        created_by=show.created_by and named(show.created_by)[:MAX_CREATORS],
        credits=show.credits and replace(leading(show.credits), crew=None),
        alternative_titles=show.alternative_titles
        and ShowTitles(titles_in(show.alternative_titles.results, region)),
        offers=show.offers and of_region(show.offers, region),
    )


_findings = msgspec.json.Decoder(_Findings).decode
_listing = msgspec.json.Decoder(_ShowPage).decode
_listed = msgspec.json.Decoder(ListedShow).decode
_details = msgspec.json.Decoder(ShowDetails).decode


def _listed_show(raw: Raw) -> ListedShow | None:
    try:
        show = _listed(raw)
    except (UnicodeDecodeError, msgspec.MsgspecError):
        return None
    genres = show.genre_ids and show.genre_ids[:MAX_GENRES]
    return replace(_bounded(show), genre_ids=genres)


def _bounded(show: S) -> S:
    overview = show.overview and show.overview[:MAX_OVERVIEW]
    original = show.original_name and show.original_name.strip()[:MAX_TITLE]
    name = show.name.strip()[:MAX_TITLE]
    return replace(show, name=name, original_name=original, overview=overview)
