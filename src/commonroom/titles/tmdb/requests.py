"""The requests that TMDB is sent, without the secret that goes along."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from typing import Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from msgspec import Struct

from commonroom.titles.films import CERTIFICATIONS, FilmFilter
from commonroom.titles.tmdb.responses import (
    Details,
    Offers,
    TmdbFacts,
    TmdbPage,
    Welcome,
    read_details,
    read_listing,
    read_offers,
    read_welcome,
)
from commonroom.titles.tmdb.show_responses import (
    Findings,
    ShowDetails,
    ShowFacts,
    read_findings,
    read_show_details,
    read_show_listing,
)

R = TypeVar("R", bound=Struct)

HOUR = 3600
FACTS_SECONDS = 24 * HOUR
OFFERS_SECONDS = 12 * HOUR
"""What is on which service changes more often than what a film is."""

MAX_SEARCH = 100


class TmdbRequest(Struct, Generic[R], frozen=True):
    """An endpoint, its parameters, how to read the response, and how long that is good for."""

    path: str
    parameters: dict[str, str]
    read: Callable[[bytes], R]
    seconds: int

    @property
    def target(self) -> str:
        """The path and query string, the same for the same request."""
        return f"{self.path}?{urlencode(sorted(self.parameters.items()), quote_via=quote)}"

    @property
    def key(self) -> str:
        """The key that the response is cached under."""
        return sha256(self.target.encode()).hexdigest()


def discover(wanted: FilmFilter, page: int) -> TmdbRequest[TmdbPage[TmdbFacts]]:
    """Returns the most popular films that fit, twenty on a page."""
    parameters = {
        "certification_country": "US",
        "certification.lte": wanted.ceiling,
        "include_adult": "false",
        "include_video": "false",
        "language": "en-US",
        "page": str(page),
        "primary_release_date.gte": f"{wanted.since:04}-01-01",
        "sort_by": "popularity.desc",
        "vote_count.gte": str(wanted.votes),
    }
    if wanted.ceiling != "R":
        # TMDB ranks films without a certification below G.
        parameters["certification.gte"] = CERTIFICATIONS[0]
    if wanted.genres:
        parameters["with_genres"] = "|".join(_in_order(wanted.genres))  # any of them
    if wanted.without_genres:
        parameters["without_genres"] = ",".join(_in_order(wanted.without_genres))  # none of them
    return TmdbRequest("discover/movie", parameters, read_listing, FACTS_SECONDS)


def search(text: str) -> TmdbRequest[TmdbPage[TmdbFacts]]:
    """Films by title, the likeliest first."""
    return TmdbRequest("search/movie", _sought(text), read_listing, FACTS_SECONDS)


def search_shows(text: str) -> TmdbRequest[TmdbPage[ShowFacts]]:
    """Shows by title, the likeliest first."""
    return TmdbRequest("search/tv", _sought(text), read_show_listing, FACTS_SECONDS)


def find(imdb_id: str) -> TmdbRequest[Findings]:
    """Returns the film or show that has an id of IMDb's."""
    parameters = {"external_source": "imdb_id", "language": "en-US"}
    return TmdbRequest(f"find/{imdb_id}", parameters, read_findings, FACTS_SECONDS)


def _sought(text: str) -> dict[str, str]:
    # The same text in other words for TMDB: capitals, spaces, and what is no character at all.
    plain = " ".join(text.encode("utf-8", "replace").decode().lower().split())
    return {"query": plain[:MAX_SEARCH], "include_adult": "false", "language": "en-US"}


def details(tmdb_movie_id: int, region: str) -> TmdbRequest[Details]:
    """All of one film; what is said of services is older than it should be after twelve hours."""
    parameters = {
        "append_to_response": "release_dates,credits,alternative_titles,watch/providers",
        "language": "en-US",
        "watch_region": region,
    }
    read = partial(read_details, tmdb_movie_id, region)
    return TmdbRequest(f"movie/{tmdb_movie_id}", parameters, read, FACTS_SECONDS)


def show_details(tmdb_show_id: int, region: str) -> TmdbRequest[ShowDetails]:
    """Returns all of one show, in the same way."""
    parameters = {
        "append_to_response": "credits,external_ids,alternative_titles,watch/providers",
        "language": "en-US",
        "watch_region": region,
    }
    read = partial(read_show_details, tmdb_show_id, region)
    return TmdbRequest(f"tv/{tmdb_show_id}", parameters, read, FACTS_SECONDS)


def offers(kind: Literal["movie", "tv"], tmdb_id: int, region: str) -> TmdbRequest[Offers]:
    """Returns the services that have one film or show."""
    read = partial(read_offers, region)
    path = f"{kind}/{tmdb_id}/watch/providers"
    return TmdbRequest(path, {"watch_region": region}, read, OFFERS_SECONDS)


def authentication() -> TmdbRequest[Welcome]:
    """Whether the access token is known."""
    return TmdbRequest("authentication", {}, read_welcome, 0)


def _in_order(genres: Iterable[str]) -> list[str]:
    return sorted(genres, key=lambda genre: (len(genre), genre))
