"""Decisions about films on a shelf: which item is which film of the catalogue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from commonroom.library.tables import Video
from commonroom.texts import collation_key
from commonroom.titles.titles import TitleFacts

YEARS_APART = 1
"""A film comes out in one year at a festival and in the next everywhere else."""
BYTES_OF_ONE = 400


class ShelvedFilm(Struct, frozen=True, gc=False):
    """A film as a library has it."""

    item_id: str
    title: str
    year: int | None = None
    tmdb_id: int | None = None


class FilmShelf:
    """The films of one library, found by TMDB's number or by title and year."""

    def __init__(self, films: Iterable[ShelvedFilm]) -> None:
        self.films = tuple(films)
        self._by_number: dict[int, list[ShelvedFilm]] = defaultdict(list)
        self._by_title: dict[str, list[ShelvedFilm]] = defaultdict(list)
        for one in self.films:
            if one.tmdb_id is None:
                self._by_title[collation_key(one.title)].append(one)
            else:
                self._by_number[one.tmdb_id].append(one)
        self.bytes = BYTES_OF_ONE * len(self.films)
        """What it takes in memory, roughly."""

    def find(self, facts: TitleFacts) -> list[ShelvedFilm]:
        """Returns the copies of a film: those with its number, then those that are called so."""
        number = facts.id.tmdb_id
        numbered = [] if number is None else self._by_number.get(number, [])
        called = self._by_title.get(collation_key(facts.title), [])
        return [*numbered, *(one for one in called if _is_of_year(one.year, facts.year))]


def is_same_film(item: Video, facts: TitleFacts) -> bool:
    """Returns whether an item is a copy of a film: a number counts more than what it is called."""
    if item.tmdb_id is not None:
        return item.tmdb_id == facts.id.tmdb_id
    is_called_so = collation_key(item.title) == collation_key(facts.title)
    return is_called_so and _is_of_year(item.release_year, facts.year)


def _is_of_year(year: int | None, of_film: int | None) -> bool:
    """Without a year, any film of that title matches."""
    return year is None or of_film is None or abs(year - of_film) <= YEARS_APART
