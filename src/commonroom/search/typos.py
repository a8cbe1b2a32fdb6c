"""Slips: keys by which words are found that differ in a letter, and how far two words differ.

Two words that differ by one slip have a key in common, where the keys of a word are its first
letters, and these without any one of them (the method of SymSpell, on beginnings only).
"""

from __future__ import annotations

from collections.abc import Collection

from commonroom.search.queries import SLIPS_FROM

MIN_COMPARED, MAX_COMPARED = 3, 16
"""How many letters a beginning has with which a word is compared that is still being typed."""
MAX_BEGINNING = 6
"""So many letters tell words apart; what follows them is compared with the words themselves."""


def beginnings(word: str) -> list[str]:
    """What a word begins with, by which it is found; none of one that may have no slips."""
    if len(word) == SLIPS_FROM - 1:
        return [word]  # where a letter too many was typed
    last = min(len(word), MAX_BEGINNING)
    return [word[:length] for length in range(SLIPS_FROM, last + 1)]


def keys(beginning: str) -> set[str]:
    """The keys of a beginning."""
    shorter = {beginning[:at] + beginning[at + 1 :] for at in range(len(beginning))}
    return {beginning, *shorter}


def similar(word: str, words: Collection[str], most: int) -> list[str]:
    """Those of many words that begin like a word, up to so many slips: compared at once."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    sizes = range(max(1, len(word) - most), len(word) + most + 1)
    near: set[str] = set()
    for size in sizes:
        begun = {other[:size] for other in words}
        found = extract(word, begun, scorer=OSA.distance, score_cutoff=most, limit=None)
        near.update(beginning for beginning, _slips, _at in found)
    return [other for other in words if any(other[:size] in near for size in sizes)]


def nearest(word: str, other: str, most: int) -> tuple[int, str]:
    """How many slips lie between a word and the nearest beginning of another, and that beginning.

    Swapped neighbours are one slip. More than `most` are counted as one more.
    """
    from rapidfuzz.distance import OSA  # with the first search, not with the start

    slips, _, size = min(
        (OSA.distance(word, other[:size], score_cutoff=most), abs(size - len(word)), size)
        for size in range(len(word) - most, len(word) + most + 1)
    )
    return slips, other[:size]
