"""What the library tells movie night: which films are on shelves, for choosing one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonroom.http.request import Request
from commonroom.joins.film_sources import FilmAtHand, FilmAvailability
from commonroom.library.joins.title_sections import place_in_words
from commonroom.library.service.films import find_copies, list_shelved_films
from commonroom.library.service.search_cache import search_cache_of
from commonroom.titles.films import NamedFilm
from commonroom.titles.titles import TitleFacts, TitleId


async def find(request: Request, films: Sequence[TitleFacts]) -> Mapping[TitleId, FilmAtHand]:
    """Which of these films are on one's own shelves or shared ones: three requests, as there."""
    shelves = await find_copies(request.context, search_cache_of(request), films)
    found: dict[TitleId, FilmAtHand] = {}
    for title, copies in shelves.copies.items():
        # A copy that can be watched now counts before one's own that is lent.
        best = min(copies, key=lambda one: not one.is_there, default=None)
        if best is not None:
            found[title] = FilmAtHand(best.is_there, place_in_words(best))
    return found


async def list_films(request: Request) -> Sequence[NamedFilm]:
    """Returns all films on these shelves: three requests, as there."""
    shelved = await list_shelved_films(request.context, search_cache_of(request))
    return [NamedFilm(one.title, one.year, one.tmdb_id) for one in shelved]


FILM_AVAILABILITY = FilmAvailability(find=find, films=list_films)
