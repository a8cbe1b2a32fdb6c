"""Where films of a round are from, as the caller may know it: whose shelf, whose list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from commonroom.http.request import Request
from commonroom.joins.film_sources import FilmAtHand, FilmAvailability, FilmSuggestions
from commonroom.joins.rooms import first_offer
from commonroom.movienight.rules.suggestions import FROM_LIST, LENT_OUT, ON_SHELF
from commonroom.movienight.tables import Suggestion
from commonroom.titles.films import Film
from commonroom.titles.titles import TitleId

FilmPlaces: TypeAlias = Mapping[int, Mapping[str, str]]
"""By film and reason: what of it is said by name."""
SHELVES = frozenset({ON_SHELF, LENT_OUT})


async def load_places(request: Request, films: Sequence[Suggestion]) -> FilmPlaces:
    """Returns the reasons that the caller may know by name, in words, by film and reason.

    No request where no film is from a shelf or a list; else what the rooms state that have them.
    They decide for the caller, each time: a round keeps no name.
    """
    shelved = await _load_shelved(request, films)
    lists = await _load_lists(request, films)
    return {one.tmdb_movie_id: _places(one, shelved, lists) for one in films}


def _places(
    film: Suggestion, shelved: Mapping[TitleId, FilmAtHand], lists: Mapping[str, str]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for why in film.reasons:
        at_hand = shelved.get(_film(film).id) if why in SHELVES else None
        text = lists.get(_list_id(why)) if at_hand is None else at_hand.text
        if text is not None:
            found[why] = text
    return found


async def _load_shelved(
    request: Request, films: Sequence[Suggestion]
) -> Mapping[TitleId, FilmAtHand]:
    source = first_offer(request, FilmAvailability)
    on_shelf = [_film(one) for one in films if not SHELVES.isdisjoint(one.reasons)]
    return {} if source is None or not on_shelf else await source.find(request, on_shelf)


async def _load_lists(request: Request, films: Sequence[Suggestion]) -> Mapping[str, str]:
    source = first_offer(request, FilmSuggestions)
    named = {found for one in films for why in one.reasons if (found := _list_id(why))}
    return {} if source is None or not named else await source.reasons(request, sorted(named))


def _list_id(reason: str) -> str:
    kind, _separator, about = reason.partition("#")
    return about if kind == FROM_LIST else ""


def _film(one: Suggestion) -> Film:
    return Film(tmdb_id=one.tmdb_movie_id, title=one.title, year=one.year)
