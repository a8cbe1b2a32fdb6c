"""Decisions about search: which words a text has, what matches them, and what comes first."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from heapq import nsmallest
from operator import itemgetter
from typing import Literal, NamedTuple

from msgspec import Struct
from rapidfuzz import process
from rapidfuzz.distance import OSA

from commonroom.errors import InvalidField
from commonroom.texts import collation_key

MOST_WORDS = 12
LONGEST_TEXT = 200

# Letters that no accent tells from others, but that hardly anybody types. The last has no dot.
_PLAINER = str.maketrans({"œ": "oe", "æ": "ae", "þ": "th"}) | str.maketrans("øłđðħ\u0131", "olddhi")
_APOSTROPHES = re.compile("['`’\u2018\u201b\u02bc\u02bb\u2032]")
_LETTERS = re.compile(r"[^\W_]+")


LONG_WORD = 8
"""From how many letters on a word may have two slips."""
LAST_LETTER = "\U0010ffff"
# A rank is one number, the smaller the better. Slips count most, then where words were found, then
# words that are only begun; each is summed over all words, which are too few to reach the next.
SLIP, FIELD, BEGUN = 1 << 16, 1 << 8, 1
SAME_TITLE, TITLE_BEGINS, WORDS_FOUND, WITH_SLIPS = (tier << 24 for tier in range(4))
PLACE_BITS = 32


class Query(Struct, frozen=True):
    """What somebody looks for."""

    readings: tuple[tuple[str, ...], ...]
    """Its words, all of which must match; two readings where a word may be one or several."""
    whole: str
    """All its letters, to be compared with a whole title."""


def parse_query(text: str) -> Query | None:
    """A text as something to look for; None where there is nothing in it.

    “o’brien” is one word. “Spider-Man” may be one or two: either will do.
    """
    if len(text) > LONGEST_TEXT:
        raise InvalidField("q", f"Use at most {LONGEST_TEXT} characters.")
    written = _APOSTROPHES.sub("", _plainer(collation_key(text))).split("_")
    parts = [found for one in written if (found := _LETTERS.findall(one))]
    if not parts:  # signs alone can be a title, too
        parts = [[one] for one in written if one]
    apart = tuple(dict.fromkeys(word for found in parts for word in found))
    together = tuple(dict.fromkeys("".join(found) for found in parts))
    if len(apart) > MOST_WORDS:
        raise InvalidField("q", f"Use at most {MOST_WORDS} words.")
    readings = tuple(dict.fromkeys((apart, together)))
    return Query(readings, "".join(together)) if apart else None


def words_of(text: str) -> set[str]:
    """Everything in a title or name that counts as a word.

    “L’Étranger” has letranger, l and etranger; “Spider-Man” has spiderman, spider and man.
    """
    return words_in(collation_key(text))


def words_in(sorted_as: str) -> set[str]:
    """The same of a text whose sort form is known."""
    words: set[str] = set()
    for one in _plainer(sorted_as).split("_"):
        parts = _LETTERS.findall(one)
        words.update(parts or [one])
        if len(parts) > 1:
            words.add("".join(parts))
            words.update(_LETTERS.findall(_APOSTROPHES.sub("", one)))
    words.discard("")
    return words


def letters_in(sorted_as: str) -> str:
    """All letters of a title whose sort form is known, as `Sought.whole` has them."""
    folded = _plainer(sorted_as)
    return "".join(_LETTERS.findall(folded)) or folded.replace("_", "")


def _plainer(sorted_as: str) -> str:
    return sorted_as if sorted_as.isascii() else sorted_as.translate(_PLAINER)


class SearchEntry(Struct, frozen=True):
    """What an item is found by."""

    type: Literal[0, 1]
    item_id: str
    title: str
    collection: str | None
    people: tuple[str, ...]
    labels: tuple[str, ...] = ()
    """Its tags, and who published it."""


class Ranked(NamedTuple):
    """A card that was found; the lower comes first: by rank, then in the alphabet."""

    rank: int
    title: str
    """In its sort form."""
    library_id: str
    item_id: str
    type: Literal[0, 1]


class SearchIndex:
    """The cards of one library, in the alphabet.

    Words are compared once each, however many items have them.
    """

    def __init__(self, library_id: str, cards: Iterable[SearchEntry]) -> None:
        places = sorted(
            (((collation_key(one.title), library_id, one.item_id), one) for one in cards),
            key=itemgetter(0),
        )
        self._places = [place for place, _ in places]
        ordered = [card for _, card in places]
        self._types = [one.type for one in ordered]
        self._letters = [letters_in(title) for title, _, _ in self._places]
        words = cache(words_of)  # collections and people come again and again
        # Which cards have a word, by where: in titles, collections' names, people's, labels.
        self._having = (
            _having(words_in(title) for title, _, _ in self._places),
            _having(words(one.collection or "") for one in ordered),
            _having(set().union(*map(words, one.people)) for one in ordered),
            _having(set().union(*map(words, one.labels)) for one in ordered),
        )
        self._words = sorted({word for field in self._having for word in field})
        self._by_length: dict[int, list[str]] = defaultdict(list)
        for word in self._words:
            self._by_length[len(word)].append(word)

    def __len__(self) -> int:
        return len(self._places)

    def best(self, what: Query, most: int, after: Ranked | None = None) -> list[Ranked]:
        """So many of the cards on which all words match, the best first; those after another."""
        ranks = self._ranks(self._found(what), what.whole)
        if after is not None:
            last = after.rank << PLACE_BITS | bisect_right(self._places, after[1:4])
            ranks = [one for one in ranks if one >= last]
        return [self._ranked(one) for one in nsmallest(most, ranks)]

    def _found(self, what: Query) -> dict[int, int]:
        """The cards on which all words of a reading match, and the least that this costs."""
        reading, *others = what.readings
        costs = self._matching(reading)
        for other in others:
            for number, cost in self._matching(other).items():
                costs[number] = min(cost, costs.get(number, cost))
        return costs

    def _matching(self, words: Sequence[str]) -> dict[int, int]:
        """The cards on which each of these words matches, and what that costs in all."""
        first, *others = words
        costs = self._costs(first)
        for word in others:
            more = self._costs(word)
            costs = {one: cost + more[one] for one, cost in costs.items() if one in more}
        return costs

    def _costs(self, word: str) -> dict[int, int]:
        """The cards on which a word matches, and the least that this costs."""
        steps = [
            (cost + field * FIELD, alike, having)
            for cost, alike in self._alike(word)
            for field, having in enumerate(self._having)
        ]
        costs: dict[int, int] = {}
        # The dearest first, so that what is cheaper takes its place.
        for cost, alike, having in sorted(steps, key=itemgetter(0), reverse=True):
            for one in alike:
                if one in having:
                    costs.update(dict.fromkeys(having[one], cost))
        return costs

    def _alike(self, word: str) -> list[tuple[int, Sequence[str]]]:
        """Words that match a word, by what that costs; one may match in several ways."""
        start = bisect_left(self._words, word)
        end = bisect_left(self._words, word + LAST_LETTER, start)
        alike: list[tuple[int, Sequence[str]]] = [(BEGUN, self._words[start:end])]
        slips = slips_allowed(word)
        for length in range(len(word) - slips, len(word) + slips + 1):
            close: dict[int, list[str]] = defaultdict(list)
            for one, distance, _ in process.extract_iter(
                word, self._by_length.get(length, ()), scorer=OSA.distance, score_cutoff=slips
            ):
                close[distance].append(one)
            alike += [(distance * SLIP, some) for distance, some in close.items()]
        return alike

    def _ranks(self, costs: dict[int, int], whole: str) -> list[int]:
        """Rank and place in the alphabet of each, as one number: there may be thousands."""
        letters, ranks = self._letters, []
        for number, cost in costs.items():
            if cost >= SLIP:
                tier = WITH_SLIPS
            elif not letters[number].startswith(whole):
                tier = WORDS_FOUND
            else:
                tier = TITLE_BEGINS if len(letters[number]) > len(whole) else SAME_TITLE
            ranks.append((cost + tier) << PLACE_BITS | number)
        return ranks

    def _ranked(self, one: int) -> Ranked:
        rank, number = divmod(one, 1 << PLACE_BITS)
        return Ranked(rank, *self._places[number], self._types[number])


def slips_allowed(word: str) -> int:
    """How many letters may be wrong, missing, too many, or swapped with the next."""
    return 1 if len(word) < LONG_WORD else 2


def _having(words: Iterable[set[str]]) -> dict[str, list[int]]:
    having: dict[str, list[int]] = defaultdict(list)
    for number, some in enumerate(words):
        for word in some:
            having[word].append(number)
    return dict(having)
