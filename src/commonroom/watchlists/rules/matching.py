"""Which title of the catalogue a row means: by what it is called, and when it came out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import TitleFacts
from commonroom.watchlists.rules.formats import TitleRead

NEAR_YEARS = 1
"""A film has one year at a festival and another in cinemas."""


def matches(of: TitleRead, found: Sequence[TitleFacts], *, years_off: int = 0) -> list[TitleFacts]:
    """Those that may be meant, so many years off: one where it is clear, several where it is not.

    A title that has another id is another title. One of another year is only meant by a row that
    has no id, which would tell them apart, and whose file has no other one of that year.
    """
    if same_ids := [one for one in found if _shares_id(of, one)]:
        return same_ids
    names = {squashed(name) for name in (of.title, of.original_title) if name}
    possible = [
        one
        for one in found
        if of.content_type in (None, one.content_type) and not has_other_ids(of, one)
    ]
    same = [one for one in possible if squashed(one.title) in names] or [
        one for one in possible if names.intersection(map(squashed, one.other_titles))
    ]
    if of.year is not None:
        if years_off and (_has_ids(of) or of.is_of_very_year):
            return []
        same = [
            one for one in same if one.year is not None and abs(of.year - one.year) == years_off
        ]
    # Where a file does not say what it is, it is a film, if there is one.
    films = [one for one in same if one.content_type == "MOVIE"]
    return same if of.year is None else films or same


def best_match(of: TitleRead, *groups: Sequence[TitleFacts]) -> TitleFacts | None:
    """The one that is meant, of the first group that has one; None where two are equally likely.

    In whichever group, one of the very year comes before one of the year beside it.
    """
    for years_off in range(NEAR_YEARS + 1):
        for found in groups:
            if likely := matches(of, found, years_off=years_off):
                return likely[0] if len(likely) == 1 else None
    return None


def has_other_ids(of: TitleRead, one: TitleFacts) -> bool:
    """Returns whether an id says that a title is not the one of a row."""
    return any(told not in (None, known) and known is not None for told, known in _ids(of, one))


def _shares_id(of: TitleRead, one: TitleFacts) -> bool:
    same_type = of.content_type in (None, one.content_type)
    shared = any(told is not None and told == known for told, known in _ids(of, one))
    return same_type and shared and not has_other_ids(of, one)


def _ids(of: TitleRead, one: TitleFacts) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return (of.tmdb_id, one.tmdb_id), (of.imdb_id, one.imdb_id)


def _has_ids(of: TitleRead) -> bool:
    return of.tmdb_id is not None or of.imdb_id is not None
