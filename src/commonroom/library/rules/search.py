"""Decisions about search: which words a text has, and what an item is found by."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.library.rules.films import ShelvedFilm
from commonroom.library.tables import Book, Video
from commonroom.texts import as_typed, collation_key, without_apostrophes

MAX_WORDS = 12
MAX_TEXT = 200

_LETTERS = re.compile(r"[^\W_]+")


class LibraryQuery(Struct, frozen=True):
    """What is searched for."""

    readings: tuple[tuple[str, ...], ...]
    """Its words, all of which must match; two readings where a word may be one or several."""
    whole: str
    """All its letters, to be compared with a whole title."""


def parse_query(text: str) -> LibraryQuery | None:
    """Returns a text as something to look for; None where there is nothing in it.

    “o’brien” is one word. “Spider-Man” may be one or two: either will do.
    """
    if len(text) > MAX_TEXT:
        raise InvalidField("q", f"Use at most {MAX_TEXT} characters.")
    written = without_apostrophes(as_typed(collation_key(text))).split("_")
    parts = [found for one in written if (found := _LETTERS.findall(one))]
    if not parts:  # signs alone can be a title, too
        parts = [[one] for one in written if one]
    apart = tuple(dict.fromkeys(word for found in parts for word in found))
    together = tuple(dict.fromkeys("".join(found) for found in parts))
    if len(apart) > MAX_WORDS:
        raise InvalidField("q", f"Use at most {MAX_WORDS} words.")
    readings = tuple(dict.fromkeys((apart, together)))
    return LibraryQuery(readings, "".join(together)) if apart else None


def words_of(text: str) -> set[str]:
    """Returns everything in a title or name that counts as a word.

    “L’Étranger” has letranger, l and etranger; “Spider-Man” has spiderman, spider and man.
    """
    return words_in(collation_key(text))


def words_in(sorted_as: str) -> set[str]:
    """Returns the words of a text whose sort form is known."""
    words: set[str] = set()
    for one in as_typed(sorted_as).split("_"):
        parts = _LETTERS.findall(one)
        words.update(parts or [one])
        if len(parts) > 1:
            words.add("".join(parts))
            words.update(_LETTERS.findall(without_apostrophes(one)))
    words.discard("")
    return words


def letters_in(sorted_as: str) -> str:
    """Returns all letters of a title whose sort form is known, as `LibraryQuery.whole` has them."""
    folded = as_typed(sorted_as)
    return "".join(_LETTERS.findall(folded)) or folded.replace("_", "")


class SearchEntry(Struct, frozen=True, gc=False):
    """What an item is found by."""

    type: Literal[0, 1]
    item_id: str
    title: str
    collection: str | None
    people: tuple[str, ...]
    labels: tuple[str, ...] = ()
    """Its tags, and who published it."""
    film: ShelvedFilm | None = None
    """Which film it is, if it is one."""


def search_entry(item: Book | Video, collection: str | None) -> SearchEntry:
    """Returns what an item is found by, in a collection of this name."""
    makers = item.authors if isinstance(item, Book) else (*item.directors, *item.cast)
    people = (*makers, *item.contributors)
    labels = (*item.tags, item.publisher) if item.publisher else tuple(item.tags)
    film = None
    if isinstance(item, Video):
        film = ShelvedFilm(item.item_id, item.title, item.release_year, item.tmdb_id)
    return SearchEntry(item.type, item.item_id, item.title, collection, people, labels, film)


class Ranked(NamedTuple):
    """A card that was found; the lower comes first: by rank, then in the alphabet."""

    rank: int
    title: str
    """In its sort form."""
    library_id: str
    item_id: str
    type: Literal[0, 1]
