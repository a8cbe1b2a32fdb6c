"""Which title of the catalogue a row means: by what it is called, and when it came out."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.catalog.title_matching import squashed
from commonroom.catalog.titles import TitleFacts
from commonroom.watchlists.rules.formats import TitleRead

NEAR_YEARS = 1
"""A film has one year at a festival and another in cinemas."""


def best_match(of: TitleRead, found: Sequence[TitleFacts]) -> TitleFacts | None:
    """The one that is meant; None where none is, or two are equally likely."""
    names = {squashed(name) for name in (of.title, of.original_title) if name}
    same = [
        one
        for one in found
        if squashed(one.title) in names and of.content_type in (None, one.content_type)
    ]
    if of.year is None:
        return same[0] if len(same) == 1 else None
    near = [one for one in same if _distance(of, one) <= NEAR_YEARS]
    nearest = min((_distance(of, one) for one in near), default=0)
    closest = [one for one in near if _distance(of, one) == nearest]
    # Where a file does not say what it is, it is a film, if there is one.
    films = [one for one in closest if one.content_type == "MOVIE"]
    likely = films or closest
    return likely[0] if len(likely) == 1 else None


def _distance(of: TitleRead, one: TitleFacts) -> int:
    if of.year is None or one.year is None:
        return NEAR_YEARS + 1
    return abs(of.year - one.year)
