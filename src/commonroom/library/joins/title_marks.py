"""What shelves know of films that a person found: whose they are, and whether they are there."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.http.request import Request
from commonroom.joins.title_marks import TitleMark
from commonroom.library.joins.title_sections import place_in_words
from commonroom.library.service.films import find_copies
from commonroom.library.service.search_cache import search_cache_of
from commonroom.titles.titles import TitleFacts, TitleId

MAX_MARKS = 2
"""How many copies of a film are named."""


async def load_marks(
    request: Request, titles: Sequence[TitleFacts]
) -> dict[TitleId, list[TitleMark]]:
    """Marks of the films among these titles: three requests where shelves are remembered."""
    films = [one for one in titles if one.content_type == "MOVIE"]
    if not films:
        return {}
    shelves = await find_copies(request.context, search_cache_of(request), films)
    return {
        title: [TitleMark(place_in_words(one), "library") for one in copies[:MAX_MARKS]]
        for title, copies in shelves.copies.items()
    }
