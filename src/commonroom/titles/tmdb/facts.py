"""Facts of films and shows, made of TMDB's responses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from commonroom.titles.films import CERTIFICATIONS, Film
from commonroom.titles.genres import film_genres, show_genres
from commonroom.titles.posters import POSTER_PATH
from commonroom.titles.streaming_services import services_of_providers
from commonroom.titles.titles import Certification, ShowStatus, TitleFacts
from commonroom.titles.tmdb.responses import (
    CountryTitle,
    Credits,
    Details,
    Offers,
    Releases,
    TmdbFacts,
    TmdbPerson,
)
from commonroom.titles.tmdb.show_responses import ShowDetails, ShowFacts

DATE = re.compile(r"(\d{4})-\d\d-\d\d")
IMDB_ID = re.compile(r"tt\d{7,10}")
IN_CINEMAS = frozenset({1, 2, 3})

STATUSES: dict[str, ShowStatus] = {"Ended": "ended", "Canceled": "cancelled"}
"""TMDB's words for shows that are over; all others are of shows that go on, or will begin."""


def listed_film(listed: TmdbFacts) -> Film:
    """As much of a film as a list tells: neither its certification nor who has it."""
    return Film(
        **_facts(listed),
        genres=film_genres(listed.genre_ids or ()),
    )


def whole_film(details: Details, offers: Offers | None) -> Film:
    """Returns all that is known of a film."""
    made_by, elsewhere = details.credits or Credits(), details.alternative_titles
    return Film(
        **_facts(details, elsewhere.titles if elsewhere else ()),
        genres=film_genres(one.id for one in details.genres or ()),
        runtime=details.runtime or None,
        certification=_certification(details.release_dates),
        makers=_names(made_by.crew),
        cast=_names(made_by.cast),
        services=_services(offers),
        imdb_id=_imdb_id(details.imdb_id),
    )


def listed_show(listed: ShowFacts) -> TitleFacts:
    """As much of a show as a list tells: neither its seasons nor who has it."""
    return TitleFacts(
        **_show_facts(listed),
        genres=show_genres(listed.genre_ids or ()),
    )


def whole_show(details: ShowDetails, offers: Offers | None) -> TitleFacts:
    """Returns all that is known of a show."""
    status = STATUSES.get((details.status or "").strip(), "ongoing")
    made_by, elsewhere = details.credits or Credits(), details.external_ids
    called = details.alternative_titles
    return TitleFacts(
        **_show_facts(details, called.results if called else ()),
        end_year=None if status == "ongoing" else _year(details.last_air_date),
        genres=show_genres(one.id for one in details.genres or ()),
        seasons=details.number_of_seasons or None,
        episodes=details.number_of_episodes or None,
        status=status,
        makers=_names(details.created_by),
        cast=_names(made_by.cast),
        services=_services(offers),
        imdb_id=_imdb_id(elsewhere.imdb_id if elsewhere else None),
    )


def _facts(details: TmdbFacts, elsewhere: Iterable[CountryTitle] = ()) -> dict[str, Any]:
    """Returns what films and shows have in common; with their titles in other countries."""
    poster = details.poster_path or ""
    names = dict.fromkeys([details.original_title or "", *(one.title for one in elsewhere)])
    return {
        "tmdb_id": details.id,
        "title": details.title,
        "other_titles": tuple(name for name in names if name and name != details.title),
        "year": _year(details.release_date),
        "popularity": details.popularity or 0.0,
        # Where nobody has voted, TMDB says 0.
        "vote_average": details.vote_average or None,
        "vote_count": details.vote_count or 0,
        "poster_path": poster if POSTER_PATH.fullmatch(poster) else None,
        "overview": details.overview,
    }


def _show_facts(details: ShowFacts, elsewhere: Iterable[CountryTitle] = ()) -> dict[str, Any]:
    known = _facts(details, elsewhere)
    return {"content_type": "SHOW", "content_id": str(details.id), **known}


def _year(date: str | None) -> int | None:
    found = DATE.fullmatch(date or "")
    return int(found[1]) if found else None


def _imdb_id(imdb_id: str | None) -> str | None:
    return imdb_id if imdb_id and IMDB_ID.fullmatch(imdb_id) else None


def _names(people: Iterable[TmdbPerson] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in people or () if one.name))


def _certification(releases: Releases | None) -> Certification | None:
    """That of the cinemas, else any other; the strictest where there are several."""
    if releases is None:
        return None
    all_dates = [one for country in releases.results for one in country.release_dates]
    in_cinemas = [one for one in all_dates if one.type in IN_CINEMAS]
    for several in (in_cinemas, all_dates):
        certifications = {(one.certification or "").strip() for one in several}
        known = [rank for rank in CERTIFICATIONS if rank in certifications]
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
