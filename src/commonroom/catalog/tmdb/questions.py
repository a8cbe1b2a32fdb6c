"""The questions that TMDB is asked, without the secret that goes along."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

from msgspec import Struct

from commonroom.catalog.films import CERTIFICATIONS
from commonroom.catalog.source import Wanted
from commonroom.catalog.tmdb.reading import (
    read_details,
    read_listing,
    read_offers,
    read_welcome,
)
from commonroom.catalog.tmdb.shapes import Details, Listing, Offers, Welcome

A = TypeVar("A", bound=Struct)

HOUR = 3600
FACTS_SECONDS = 24 * HOUR
OFFERS_SECONDS = 12 * HOUR
"""What is on which service changes more often than what a film is."""

LONGEST_SEARCH = 100


class Question(Struct, Generic[A], frozen=True):
    """An endpoint, its parameters, how to read the answer, and how long that is good for."""

    path: str
    parameters: dict[str, str]
    read: Callable[[bytes], A]
    seconds: int

    @property
    def asked(self) -> str:
        """The path and what follows it, the same for the same question."""
        return f"{self.path}?{urlencode(sorted(self.parameters.items()), quote_via=quote)}"

    @property
    def key(self) -> str:
        """What the answer is kept under."""
        return sha256(self.asked.encode()).hexdigest()


def discover(wanted: Wanted, page: int) -> Question[Listing]:
    """The most popular films that fit, twenty on a page."""
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
    return Question("discover/movie", parameters, read_listing, FACTS_SECONDS)


def search(text: str) -> Question[Listing]:
    """Films by title, the likeliest first."""
    # The same text in other words for TMDB: capitals, spaces, and what is no character at all.
    plain = " ".join(text.encode("utf-8", "replace").decode().lower().split())
    parameters = {"query": plain[:LONGEST_SEARCH], "include_adult": "false", "language": "en-US"}
    return Question("search/movie", parameters, read_listing, FACTS_SECONDS)


def details(tmdb_movie_id: int, region: str) -> Question[Details]:
    """All of one film; what is said of services is older than it should be after twelve hours."""
    parameters = {
        "append_to_response": "release_dates,credits,watch/providers",
        "language": "en-US",
        "watch_region": region,
    }
    read = partial(read_details, tmdb_movie_id, region)
    return Question(f"movie/{tmdb_movie_id}", parameters, read, FACTS_SECONDS)


def offers(tmdb_movie_id: int, region: str) -> Question[Offers]:
    """The services that have one film."""
    read = partial(read_offers, region)
    path = f"movie/{tmdb_movie_id}/watch/providers"
    return Question(path, {"watch_region": region}, read, OFFERS_SECONDS)


def authentication() -> Question[Welcome]:
    """Whether the access token is known."""
    return Question("authentication", {}, read_welcome, 0)


def _in_order(genres: Iterable[str]) -> list[str]:
    return sorted(genres, key=lambda genre: (len(genre), genre))
