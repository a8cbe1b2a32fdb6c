"""Ranking of what matches with typos, and the best of what was found: the same for both engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias, TypeVar

from commonroom.search.hits import Tier
from commonroom.search.queries import Terms, typos_allowed
from commonroom.search.typos import nearest, similar

T = TypeVar("T")

MANY = 50
"""Of so many words, those that are likely are picked out first."""
OUTSIDE_TITLE = 1000
"""What it costs that a word is not in the title: more than any typos."""

MeantWords: TypeAlias = Sequence[tuple[int, str]]
"""Number of typos and prefix of words: a word as it was typed, then what may be meant by it."""


def tier_of(terms: Terms, whole: str, title: str, names: str) -> Tier | None:
    """Returns how well a title and names match as typed; None where they do not."""
    if any(one in terms.wholes for one in whole.split()):
        return Tier.SAME_TITLE
    if has_prefix(whole, terms.beginning):
        return Tier.TITLE_BEGINS
    if all(has_prefix(title, word) for word in terms.words):
        return Tier.IN_TITLE
    is_in_names = all(has_prefix(title, word) or has_prefix(names, word) for word in terms.words)
    return Tier.IN_NAMES if is_in_names else None


def words_meant_by(word: str, words: Collection[str]) -> MeantWords:
    """Returns which of a document's words may be meant by a word."""
    most = typos_allowed(word)
    if not most:
        return [(0, word)]
    likely = words if len(words) < MANY else similar(word, words, most)
    found = {nearest(word, other, most) for other in likely}
    return [(0, word), *sorted(one for one in found if 0 < one[0] <= most)]


def fuzzy_cost(title: str, names: str, meant: Iterable[MeantWords]) -> int:
    """Returns what it costs that words match a title and names only fuzzily."""
    return sum(_cost(title, names, one) for one in meant)


def matches_fuzzily(title: str, names: str, meant: Iterable[MeantWords]) -> bool:
    """Whether a title or names have, for each typed word, one that may be meant by it."""
    return all(
        any(has_prefix(title, other) or has_prefix(names, other) for _, other in one)
        for one in meant
    )


def _cost(title: str, names: str, meant: MeantWords) -> int:
    """What the best match of a word costs: of equal typos, a whole word less than a begun one."""
    costs = []
    for typos, other in meant:
        outside = 0 if has_prefix(title, other) else OUTSIDE_TITLE
        if not outside or has_prefix(names, other):
            is_whole = f" {other} " in f" {names if outside else title} "
            costs.append(outside + 2 * typos + (not is_whole and typos > 0))
    return min(costs, default=OUTSIDE_TITLE)


def has_prefix(words: str, beginning: str) -> bool:
    """Whether one of these words has a prefix."""
    return words.startswith(beginning) or f" {beginning}" in words


def best(ranked: Iterable[T], limit: int, group_of: Callable[[T], object] | None) -> list[T]:
    """So many of what is ranked already, of all together or of each group."""
    taken: Counter[object] = Counter()
    chosen = []
    for one in ranked:
        group = None if group_of is None else group_of(one)
        if taken[group] < limit:
            taken[group] += 1
            chosen.append(one)
    return chosen
