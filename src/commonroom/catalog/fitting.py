"""Whether a film is what was wanted, and whether a ceiling lets it through."""

from __future__ import annotations

from commonroom.catalog.films import CERTIFICATIONS, Certification, Film
from commonroom.catalog.source import Wanted

HIGHEST = CERTIFICATIONS.index("R")


def fits(film: Film, wanted: Wanted) -> bool:
    """Whether all that is wanted but the ceiling holds for a film."""
    genres = frozenset(film.genres)
    return (
        (not wanted.genres or not genres.isdisjoint(wanted.genres))
        and genres.isdisjoint(wanted.without_genres)
        and film.year is not None
        and film.year >= wanted.since
        and (film.vote_count is None or film.vote_count >= wanted.votes)
    )


def passes(certification: Certification | None, ceiling: Certification) -> bool:
    """Whether a ceiling lets a film through; R is the highest there is."""
    highest = min(CERTIFICATIONS.index(ceiling), HIGHEST)
    if certification is None:
        return highest == HIGHEST
    return CERTIFICATIONS.index(certification) <= highest
