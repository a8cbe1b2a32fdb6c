"""Films as every room knows them, made of TMDB's responses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from commonroom.catalog.films import CERTIFICATIONS, GENRES, Certification, Film
from commonroom.catalog.posters import POSTER_PATH
from commonroom.catalog.streaming_services import services_of_providers
from commonroom.catalog.tmdb.responses import (
    Credits,
    Details,
    Facts,
    Listed,
    Offers,
    Person,
    Releases,
)

RELEASE_DATE = re.compile(r"(\d{4})-\d\d-\d\d")
IMDB_ID = re.compile(r"tt\d{7,10}")
IN_CINEMAS = frozenset({1, 2, 3})


def listed_film(listed: Listed) -> Film:
    """As much of a film as a list tells: neither its certification nor who has it."""
    return Film(**_facts(listed), genres=_genres(listed.genre_ids or ()))


def whole_film(details: Details, offers: Offers | None) -> Film:
    """All that is known of a film."""
    imdb_id = details.imdb_id or ""
    made_by = details.credits or Credits()
    return Film(
        **_facts(details),
        genres=_genres(one.id for one in details.genres or ()),
        runtime=details.runtime or None,
        certification=_certification(details.release_dates),
        directors=_names(made_by.crew),
        cast=_names(made_by.cast),
        services=_services(offers),
        imdb_id=imdb_id if IMDB_ID.fullmatch(imdb_id) else None,
    )


def _facts(told: Facts) -> dict[str, Any]:
    released = RELEASE_DATE.fullmatch(told.release_date or "")
    poster = told.poster_path or ""
    return {
        "tmdb_movie_id": told.id,
        "title": told.title,
        "year": int(released[1]) if released else None,
        "popularity": told.popularity or 0.0,
        # Where nobody has voted, TMDB says 0.
        "vote_average": told.vote_average or None,
        "vote_count": told.vote_count or 0,
        "poster_path": poster if POSTER_PATH.fullmatch(poster) else None,
        "overview": told.overview,
    }


def _genres(ids: Iterable[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(one) for one in ids if str(one) in GENRES))


def _names(people: Iterable[Person] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in people or () if one.name))


def _certification(releases: Releases | None) -> Certification | None:
    """That of the cinemas, else any other; the strictest where there are several."""
    if releases is None:
        return None
    told = [one for country in releases.results for one in country.release_dates]
    in_cinemas = [one for one in told if one.type in IN_CINEMAS]
    for several in (in_cinemas, told):
        given = {(one.certification or "").strip() for one in several}
        known = [rank for rank in CERTIFICATIONS if rank in given]
        if known:
            return known[-1]
    return None


def _services(offers: Offers | None) -> tuple[str, ...] | None:
    if offers is None:
        return None
    countries = offers.results.values()
    return services_of_providers(
        one.provider_id for country in countries for one in country.flatrate or ()
    )
