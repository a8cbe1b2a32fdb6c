"""Choosing a shortlist: scores, reasons, and what is relaxed when too little fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from commonroom.movienight.rules.preferences import Taste
from commonroom.titles.films import Film, FilmFilter

FEWEST, MAX_SUGGESTIONS = 5, 8
HIGHLY_RATED = 7.5
MAX_REASONS = 3

POPULARITY, SERVICE, GENRES = 0.5, 0.3, 0.2
"""What each part of a score weighs."""


class Relaxation(Struct, frozen=True):
    """One way to look for films, and what was given up to come to it."""

    wanted: FilmFilter
    relaxed: tuple[str, ...]


def relaxations(taste: Taste) -> Iterator[Relaxation]:
    """Ever wider ways to look; what everybody dislikes and the ceiling are never given up."""
    strict = FilmFilter(
        genres=taste.likes, without_genres=taste.excluded, ceiling=taste.ceiling, votes=50
    )
    yield Relaxation(strict, ())
    yield Relaxation(replace(strict, genres=frozenset()), ("genres",))
    yield Relaxation(replace(strict, genres=frozenset(), votes=10), ("genres", "votes"))
    yield Relaxation(
        replace(strict, genres=frozenset(), votes=10, since=1960), ("genres", "votes", "year")
    )


def rank(
    films: Sequence[Film],
    taste: Taste,
    services: Collection[str],
    at_hand: Collection[int] = (),
) -> list[Film]:
    """Films by score; then by vote average, then the lower id: equal input, equal list."""
    highest = max((film.popularity for film in films), default=0)
    return sorted(
        films,
        key=lambda film: (
            -score(film, taste, services, highest, is_at_hand=film.tmdb_movie_id in at_hand),
            -(film.vote_average or 0),
            film.tmdb_movie_id,
        ),
    )


def score(
    film: Film,
    taste: Taste,
    services: Collection[str],
    highest: float,
    *,
    is_at_hand: bool = False,
) -> float:
    """How well a film suits a company, from 0 to 1; a disc on the shelf is as good as a service."""
    popularity = film.popularity / highest if highest > 0 else 0
    on_service = is_at_hand or not set(film.services or ()).isdisjoint(services)
    liked = len(taste.likes.intersection(film.genres)) / len(film.genres) if film.genres else 0
    return POPULARITY * popularity + SERVICE * on_service + GENRES * liked


ON_SHELF, LENT_OUT, FROM_LIST = "on_shelf", "lent_out", "from_list"
"""What other rooms say of a film; each of them decides whom it tells more."""


def reasons(
    film: Film,
    taste: Taste,
    services: Collection[str],
    *,
    is_at_hand: bool | None = None,
    list_id: str | None = None,
) -> list[str]:
    """Why a film is here, as codes that pages put into words; always at least one.

    `is_at_hand` is None where nobody has it, and False where it is lent.
    """
    found = [] if list_id is None else [f"{FROM_LIST}#{list_id}"]
    found += [ON_SHELF] if is_at_hand else []
    found += [f"everyone_likes#{genre}" for genre in film.genres if genre in taste.shared][:1]
    found += [f"on#{slug}" for slug in film.services or () if slug in services][:1]
    if (film.vote_average or 0) >= HIGHLY_RATED:
        found.append("highly_rated")
    if not found:
        found += [f"liked#{genre}" for genre in film.genres if genre in taste.likes][:1]
    # That it is lent is no reason, and only said to those who may know.
    lent = [LENT_OUT] if is_at_hand is False else []
    return [*(found or ["well_known"])[:MAX_REASONS], *lent]


def public_reasons(codes: Sequence[str]) -> list[str]:
    """Reasons without what only some may know: which list it is, and what is lent."""
    plain = (FROM_LIST if one.startswith(f"{FROM_LIST}#") else one for one in codes)
    return [one for one in plain if one != LENT_OUT]
