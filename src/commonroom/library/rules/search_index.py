"""The search index of a library: which of its items match a text, and which come first."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from sys import getsizeof
from typing import Any, TypeAlias, TypeVar

from commonroom.library.rules.films import FilmShelf
from commonroom.library.rules.packed import PackedLists, PackedTexts
from commonroom.library.rules.search import (
    LibraryQuery,
    Ranked,
    SearchEntry,
    letters_in,
    words_in,
    words_of,
)
from commonroom.search.queries import typos_allowed
from commonroom.texts import collation_key

LAST_LETTER = "\U0010ffff"
LAST_BYTE = b"\xff"
# A rank is one number, the smaller the better. Typos count most, then where words were found, then
# words that are only begun; each is summed over all words, which are too few to reach the next.
TYPO, FIELD, BEGUN = 1 << 16, 1 << 8, 1
SAME_TITLE, TITLE_BEGINS, WORDS_FOUND, WITH_TYPOS = (tier << 24 for tier in range(4))
PLACE_BITS = 32
LAST_PLACE = (1 << PLACE_BITS) - 1
BATCH = 32
"""How much is done between two pauses of building: a fraction of a millisecond."""

T = TypeVar("T")
Pause: TypeAlias = Callable[[], object]
WordRange: TypeAlias = tuple[int, int]
"""Words that follow each other in the alphabet, by number: from the first up to before another."""


class LibrarySearchIndex:
    """The items of one library, in the alphabet, and the words by which they are found.

    Words are compared once each, however many items have them. Everything is packed: there may be
    hundreds of thousands of items in memory.
    """

    def __init__(
        self, library_id: str, entries: Iterable[SearchEntry], pause: Pause = lambda: None
    ) -> None:
        self._library_id = library_id
        ordered = sorted(
            ((collation_key(one.title), one.item_id, one) for one in _with_pauses(entries, pause)),
            key=itemgetter(0, 1),
        )
        self._titles = PackedTexts(title for title, _, _ in ordered)
        self._ids = PackedTexts(item_id for _, item_id, _ in ordered)
        self._types = bytes(one.type for _, _, one in ordered)
        self._letters = PackedTexts(
            letters_in(title) for title, _, _ in _with_pauses(ordered, pause)
        )
        self._by_letters = array("I", sorted(range(len(ordered)), key=self._letters.raw))
        fields = [_having(some) for some in _words_by_field(ordered, pause)]
        words = _sorted_words(fields, pause)
        self._words = PackedTexts(words)
        # Which items have a word, by where: in titles, collections' names, people's, labels.
        self._fields = [
            PackedLists(field.get(word, ()) for word in _with_pauses(words, pause))
            for field in fields
        ]
        self._by_length = _words_by_length(words)
        self.films = FilmShelf(one.film for _, _, one in ordered if one.film is not None)
        self.bytes = self._count_bytes()
        """What it takes in memory."""

    def __len__(self) -> int:
        return len(self._types)

    def best(self, what: LibraryQuery, most: int, after: Ranked | None = None) -> list[Ranked]:
        """So many of the items on which all words match, the best first; those after another."""
        start = 0
        if after is not None:
            place = bisect_right(range(len(self)), after[1:4], key=self._place)
            start = after.rank << PLACE_BITS | place
        # All that is spelt alike comes before what has a typo, which takes longer to look for.
        ranks = self._ranks_from(start, what, most, typos=False)
        if len(ranks) < most:
            ranks = self._ranks_from(start, what, most, typos=True)
        return [self._ranked(one) for one in sorted(ranks)[:most]]

    def _ranks_from(self, start: int, what: LibraryQuery, most: int, *, typos: bool) -> list[int]:
        """The ranks of all that match from one on, or of those alone that come before the rest."""
        costs = self._found(what, typos)
        whole = what.whole.encode(errors="surrogatepass")
        begun = self._beginning_with(whole, costs)
        if not typos:
            first = self._title_ranks(begun, costs, len(whole))
            first = [one for one in first if one >= start] if start else first
            if len(first) >= most:
                return first
        ranks = self._ranks(costs, begun, len(whole))
        return [one for one in ranks if one >= start] if start else ranks

    def _beginning_with(self, whole: bytes, costs: dict[int, int]) -> list[int]:
        """Which of those that were found have a title that begins with all that is sought."""
        numbers, letters = self._by_letters, self._letters.raw
        start = bisect_left(numbers, whole, key=letters)
        end = bisect_left(numbers, whole + LAST_BYTE, start, key=letters)
        return [number for number in numbers[start:end] if number in costs]

    def _found(self, what: LibraryQuery, typos: bool) -> dict[int, int]:
        """The items on which all words of a reading match, and the least that this costs."""
        reading, *others = what.readings
        costs = self._matching(reading, typos)
        for other in others:
            for number, cost in self._matching(other, typos).items():
                costs[number] = min(cost, costs.get(number, cost))
        return costs

    def _matching(self, words: Sequence[str], typos: bool) -> dict[int, int]:
        """Returns the items on which each of these words matches, and what that costs in all."""
        first, *others = words
        costs = self._costs(first, typos)
        for word in others:
            more = self._costs(word, typos)
            costs = {one: cost + more[one] for one, cost in costs.items() if one in more}
        return costs

    def _costs(self, word: str, typos: bool) -> dict[int, int]:
        """Returns the items on which a word matches, and the least that this costs."""
        steps = [
            (cost + number * FIELD, alike, field)
            for cost, alike in self._alike(word, typos)
            for number, field in enumerate(self._fields)
        ]
        costs: dict[int, int] = {}
        # The dearest first, so that what is cheaper takes its place.
        for cost, alike, field in sorted(steps, key=itemgetter(0), reverse=True):
            for first, end in alike:
                if having := field.joined(first, end):
                    costs.update(dict.fromkeys(having, cost))
        return costs

    def _alike(self, word: str, typos: bool) -> list[tuple[int, Sequence[WordRange]]]:
        """Words that match a word, by what that costs; one may match in several ways."""
        start = bisect_left(self._words, word)
        end = bisect_left(self._words, word + LAST_LETTER, start)
        alike: list[tuple[int, Sequence[WordRange]]] = []
        if start < end and self._words[start] == word:
            alike.append((0, [(start, start + 1)]))
            start += 1
        if start < end:
            alike.append((BEGUN, [(start, end)]))
        return alike + self._misspelt(word) if typos else alike

    def _misspelt(self, word: str) -> list[tuple[int, Sequence[WordRange]]]:
        typos = typos_allowed(word)
        if not typos:
            return []
        # On the first search, not when the server starts.
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        alike: list[tuple[int, Sequence[WordRange]]] = []
        for length in range(max(1, len(word) - typos), len(word) + typos + 1):
            joined, numbers = self._by_length.get(length, ("", ()))
            close: dict[int, list[WordRange]] = defaultdict(list)
            for _, distance, place in process.extract_iter(
                word,
                [joined[at : at + length] for at in range(0, len(joined), length)],
                scorer=OSA.distance,
                score_cutoff=typos,
            ):
                close[distance].append((numbers[place], numbers[place] + 1))
            alike += [(distance * TYPO, some) for distance, some in close.items()]
        return alike

    def _ranks(self, costs: dict[int, int], begun: Sequence[int], length: int) -> list[int]:
        """Rank and place in the alphabet of each, as one number: there may be thousands."""
        tiers = {number: self._tier(number, length) for number in begun}
        return [
            (cost + (WITH_TYPOS if cost >= TYPO else tiers.get(number, WORDS_FOUND))) << PLACE_BITS
            | number
            for number, cost in costs.items()
        ]

    def _title_ranks(self, begun: Sequence[int], costs: dict[int, int], length: int) -> list[int]:
        """Returns the best of those whose titles begin with the query, without typos."""
        return [
            (costs[number] + self._tier(number, length)) << PLACE_BITS | number for number in begun
        ]

    def _tier(self, number: int, length: int) -> int:
        """Returns where a title stands that begins with a text of so many letters."""
        return TITLE_BEGINS if self._letters.length(number) > length else SAME_TITLE

    def _ranked(self, one: int) -> Ranked:
        rank, number = one >> PLACE_BITS, one & LAST_PLACE
        kind: Any = self._types[number]
        return Ranked(rank, self._titles[number], self._library_id, self._ids[number], kind)

    def _place(self, number: int) -> tuple[str, str, str]:
        """Returns where an item stands among those of all libraries."""
        return self._titles[number], self._library_id, self._ids[number]

    def _count_bytes(self) -> int:
        texts = sum(one.bytes for one in (self._titles, self._ids, self._letters, self._words))
        lists = sum(one.bytes for one in self._fields)
        lengths = sum(getsizeof(one) for both in self._by_length.values() for one in both)
        order = getsizeof(self._by_letters)
        return texts + lists + lengths + order + len(self._types) + self.films.bytes


def _with_pauses(some: Iterable[T], pause: Pause) -> Iterator[T]:
    for number, one in enumerate(some, 1):
        yield one
        if number % BATCH == 0:
            pause()


def _words_by_field(
    ordered: Sequence[tuple[str, str, SearchEntry]], pause: Pause
) -> Iterator[Iterable[set[str]]]:
    """Yields the words of every item, in each of the places where they are looked for."""
    words = cache(words_of)  # collections and people come again and again
    found: list[Callable[[str, SearchEntry], set[str]]] = [
        lambda title, _: words_in(title),
        lambda _, one: words(one.collection or ""),
        lambda _, one: set().union(*map(words, one.people)),
        lambda _, one: set().union(*map(words, one.labels)),
    ]
    for words_at in found:
        yield (words_at(title, one) for title, _, one in _with_pauses(ordered, pause))


def _having(words: Iterable[set[str]]) -> Mapping[str, list[int]]:
    having: dict[str, list[int]] = defaultdict(list)
    for number, some in enumerate(words):
        for word in some:
            having[word].append(number)
    return having


def _sorted_words(fields: Iterable[Mapping[str, Any]], pause: Pause) -> list[str]:
    """Returns all words in the alphabet; letter by letter, since nothing can interrupt sorting."""
    by_first: dict[str, list[str]] = defaultdict(list)
    for word in {word for field in fields for word in field}:
        by_first[word[0]].append(word)
    found: list[str] = []
    for first in sorted(by_first):
        found += sorted(by_first[first])
        pause()
    return found


def _words_by_length(words: Sequence[str]) -> dict[int, tuple[str, Sequence[int]]]:
    """Returns the words of each length, written together, and their numbers."""
    texts: dict[int, list[str]] = defaultdict(list)
    numbers: dict[int, array[int]] = defaultdict(lambda: array("I"))
    for number, word in enumerate(words):
        texts[len(word)].append(word)
        numbers[len(word)].append(number)
    return {length: ("".join(some), numbers[length]) for length, some in texts.items()}
