"""Typos: keys by which words are found that differ in a letter, and how far two words differ.

Two words that differ by one typo have a key in common, where the keys of a word are its first
letters, and these without any one of them (the method of SymSpell, on beginnings only).
"""

from __future__ import annotations

from collections.abc import Collection

from commonroom.search.queries import TYPOS_FROM

MIN_COMPARED, MAX_COMPARED = 3, 16
"""How many letters a beginning has with which a word is compared that is still being typed."""
MAX_BEGINNING = 6
"""So many letters tell words apart; what follows them is compared with the words themselves."""


def beginnings(word: str) -> list[str]:
    """Returns the prefixes by which a word is found; none of one that may have no typos."""
    if len(word) == TYPOS_FROM - 1:
        return [word]  # where a letter too many was typed
    last = min(len(word), MAX_BEGINNING)
    return [word[:length] for length in range(TYPOS_FROM, last + 1)]


def keys(beginning: str) -> set[str]:
    """Returns the keys of a prefix."""
    shorter = {beginning[:at] + beginning[at + 1 :] for at in range(len(beginning))}
    return {beginning, *shorter}


def similar(word: str, words: Collection[str], most: int) -> list[str]:
    """Returns words with a prefix like a word, up to so many typos: compared at once."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    sizes = range(max(1, len(word) - most), len(word) + most + 1)
    fuzzy: set[str] = set()
    for size in sizes:
        begun = {other[:size] for other in words}
        found = extract(word, begun, scorer=OSA.distance, score_cutoff=most, limit=None)
        fuzzy.update(beginning for beginning, _typos, _at in found)
    return [other for other in words if any(other[:size] in fuzzy for size in sizes)]


def nearest(word: str, other: str, most: int) -> tuple[int, str]:
    """Returns how many typos lie between a word and the nearest prefix of another, and the prefix.

    Swapped neighbours are one typo. More than `most` are counted as one more.
    """
    from rapidfuzz.distance import OSA  # with the first search, not with the start

    typos, _, size = min(
        (OSA.distance(word, other[:size], score_cutoff=most), abs(size - len(word)), size)
        for size in range(len(word) - most, len(word) + most + 1)
    )
    return typos, other[:size]
