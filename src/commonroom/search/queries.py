"""What a caller looks for: a text of any kind, cut to what an index is asked, and filters."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from itertools import combinations

from msgspec import Struct

from commonroom.search.words import ARTICLES, MAX_WORD, fold, parts, title_words, wholes
from commonroom.texts import clean_line

MAX_TEXT = 200
"""How much of a text counts; nobody types more, and nobody is refused for it."""
MAX_WORDS = 8
MAX_HITS = 50
MAX_FILTERS = 20
FIRST_YEAR, LAST_YEAR = 1850, 2150
"""What is earlier or later counts as these."""

NO_FACET = "none"
"""What no document has."""

TYPOS_FROM = 4
"""From how many letters on a word may have a typo: in fewer, it would be any other word."""
TWO_TYPOS_FROM = 8
MIN_IN_TEXT = 3
"""Fewer letters begin a word of nearly every description, so nothing is looked for in those."""
FEW = 5
"""Where fewer than these are found as typed, typos are looked for."""


class SearchQuery(Struct, frozen=True, kw_only=True):
    """What to look for, and among what."""

    text: str
    kinds: tuple[str, ...] = ()
    """Only of these kinds; empty for any."""
    year_from: int | None = None
    year_to: int | None = None
    genres: tuple[str, ...] = ()
    """Only with one of these; empty for any."""
    audience: tuple[str, ...] = ()
    """The caller's tokens: what is not for everybody is found where it has one of these."""
    limit: int = 20
    grouped: bool = False
    """Whether so many of each kind are wanted, or of all kinds together."""

    @property
    def is_filtered(self) -> bool:
        """Whether years or genres are asked for."""
        return self.year_from is not None or self.year_to is not None or bool(self.genres)


class Terms(Struct, frozen=True):
    """A text as an index is asked for it."""

    words: tuple[str, ...]
    """All of them must match, each as the beginning of a word."""
    wholes: tuple[str, ...]
    """Its letters, to be compared with those of a whole title; as it is typed comes first."""

    @property
    def beginning(self) -> str:
        """What the letters of a title begin with, while it is being typed."""
        return self.wholes[0]

    @property
    def are_in_text(self) -> bool:
        """Whether descriptions are worth looking at."""
        return min(map(len, self.words)) >= MIN_IN_TEXT

    @property
    def fewer_words(self) -> list[tuple[str, ...]]:
        """All words but one, in every way that still says something."""
        fewer = combinations(self.words, len(self.words) - 1)
        return [some for some in fewer if sum(map(len, some)) >= TYPOS_FROM]


def parse(text: str) -> Terms | None:
    """Returns the terms of a text; None where there is nothing to look for. No text is refused."""
    line = clean_line(text[: 4 * MAX_TEXT])[:MAX_TEXT]
    words = [word[:MAX_WORD] for written in line.split() for word in parts(written)]
    words = words or title_words(line)
    if not words:
        return None
    telling = [word for word in words if word not in ARTICLES] or words
    return Terms(tuple(dict.fromkeys(telling))[:MAX_WORDS], tuple(wholes(line)))


def typos_allowed(word: str) -> int:
    """Returns how many letters may be wrong, missing, too many, or swapped with the next."""
    return (len(word) >= TYPOS_FROM) + (len(word) >= TWO_TYPOS_FROM)


def genre_facet(genre: str) -> str:
    """Returns what a document with a genre is filtered by, in capitals or not."""
    return "g" + "".join(part for written in fold(genre).split() for part in parts(written))


def year_facets(year: int | None) -> list[str]:
    """Returns what a document of a year is filtered by: the year, and its decade."""
    if year is None:
        return []
    counted = max(FIRST_YEAR, min(year, LAST_YEAR))
    return [f"y{counted}", f"d{counted // 10}"]


def audience_facet(token: str) -> str:
    """Returns what a document with an audience is filtered by: no two tokens have the same."""
    return "a" + blake2b(token.encode(), digest_size=16).hexdigest()


def facet_groups(query: SearchQuery) -> list[list[str]]:
    """Returns what a document must have besides its kind: of each group, at least one."""
    groups = [[genre_facet(genre) for genre in query.genres[:MAX_FILTERS]]]
    if query.year_from is not None or query.year_to is not None:
        first, last = query.year_from or FIRST_YEAR, query.year_to or LAST_YEAR
        # No year lies between: asked for nonetheless, so that nothing is found.
        groups.append(list(_years(max(first, FIRST_YEAR), min(last, LAST_YEAR))) or [NO_FACET])
    return [group for group in groups if group]


def _years(first: int, last: int) -> Iterable[str]:
    """The years of a range, whole decades as one: a century is ten facets, not a hundred."""
    year = first
    while year <= last:
        if year % 10 == 0 and year + 9 <= last:
            yield f"d{year // 10}"
            year += 10
        else:
            yield f"y{year}"
            year += 1
