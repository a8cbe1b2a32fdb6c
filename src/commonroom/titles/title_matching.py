"""Titles that resemble a text: accents, signs, articles and small typos do not matter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Generic, TypeVar

from msgspec import Struct

from commonroom.titles.titles import TitleFacts

T = TypeVar("T", bound=TitleFacts)

_MAX_TEXT = 100
_MAX_WORDS = 8
_LIKENESS = 0.8
"""Two letters swapped in a word of five are still alike; less would take "moana" for "man"."""
_MAX_ALIKE = 20
_FEW = 3
_ARTICLES = frozenset({"a", "an", "the"})
_APOSTROPHE = re.compile("['’]")
_WORD = re.compile(r"[^\W_]+")


class _Title(Struct, Generic[T], frozen=True):
    facts: T
    words: tuple[str, ...]
    squashed: str
    """Without articles and spaces, so that "spiderman" finds Spider-Man."""


class TitleIndex(Generic[T]):
    """Titles by what they are called; those that come first win where two are equally likely."""

    def __init__(self, titles: Iterable[T]) -> None:
        self._titles = [_Title(one, _words_of(one.title), squashed(one.title)) for one in titles]
        self._words = sorted({word for title in self._titles for word in title.words})

    def resembling(self, text: str) -> list[T]:
        """Titles that resemble a text, the likeliest first."""
        words = _telling(_words_of(text[:_MAX_TEXT])[:_MAX_WORDS])
        if not words:
            return []
        found = self._with(words)
        if len(found) < _FEW:
            found += [title for title in self._with_typos(words) if title not in found]
        return [title.facts for title in found]

    def _with(self, words: tuple[str, ...]) -> list[_Title[T]]:
        """Titles that are the text, then those that begin with it, then those with all words."""
        squashed = "".join(words)
        same, beginning, having = [], [], []
        for title in self._titles:
            if title.squashed == squashed:
                same.append(title)
            elif title.squashed.startswith(squashed):
                beginning.append(title)
            elif all(any(own.startswith(word) for own in title.words) for word in words):
                having.append(title)
        return same + beginning + having

    def _with_typos(self, words: tuple[str, ...]) -> list[_Title[T]]:
        """Titles with a word like each of these, or else titles that are alike as a whole."""
        likes = [self._alike(word) for word in words]
        found = [title for title in self._titles if all(like & {*title.words} for like in likes)]
        if found:
            return found
        whole = _closest("".join(words), [title.squashed for title in self._titles])
        return sorted(
            (title for title in self._titles if title.squashed in whole),
            key=lambda title: whole.index(title.squashed),
        )

    def _alike(self, word: str) -> set[str]:
        """Returns words of titles that a word may stand for."""
        return {*_closest(word, self._words)} | {w for w in self._words if w.startswith(word)}


def squashed(title: str) -> str:
    """A title without case, accents, signs, articles and spaces: the same however it is written."""
    return "".join(_telling(_words_of(title))) or title.casefold().strip()


def _words_of(text: str) -> tuple[str, ...]:
    """Its letters and digits in lower case, without accents."""
    apart = unicodedata.normalize("NFKD", text.replace("&", " and ")).casefold()
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return tuple(_WORD.findall(_APOSTROPHE.sub("", bare)))


def _telling(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without articles, which tell no title from another; all if there are no others."""
    return tuple(word for word in words if word not in _ARTICLES) or words


def _closest(word: str, among: list[str]) -> list[str]:
    from difflib import get_close_matches  # when a word has a typo

    return get_close_matches(word, among, _MAX_ALIKE, _LIKENESS)
