"""Words: what a text is compared by, without case, accents, punctuation, or spelling of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from commonroom import texts
from commonroom.texts import as_typed, clean_line, without_apostrophes

if TYPE_CHECKING:
    from commonroom.search.documents import Document

MAX_WORD = 40
MAX_WHOLE = 100
MAX_WORDS = 400
"""How many distinct words of a text count."""

ARTICLES = frozenset({"a", "an", "the"})
"""They tell no title from another."""

# Vowel signs of Indic and South-East Asian scripts are parts of words, though no letters.
_SIGNS = "\u0900-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd\u1000-\u109f\u1780-\u17d3"
# Scripts without spaces: each character is a word.
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_ALONE}]|(?:(?![{_ALONE}])[^\\W_]|[{_SIGNS}])+")

_SPELT = """
    2 ii two|3 iii three|4 iv four|5 v five|6 vi six|7 vii seven|8 viii eight|9 ix nine|10 x ten|
    11 xi eleven|12 xii twelve|13 xiii thirteen|14 xiv fourteen|15 xv fifteen|16 xvi sixteen|
    17 xvii seventeen|18 xviii eighteen|19 xix nineteen|20 xx twenty
"""
_NUMBERS = {word: spelt.split() for spelt in _SPELT.split("|") for word in spelt.split()}
"""All spellings of a number by each of them; the digits come first."""


def fold(text: str) -> str:
    """Returns the text as people type it, in small letters and without accents."""
    return as_typed(texts.fold(text))


def parts(written: str) -> list[str]:
    """Returns the words in something that is written without a space; an apostrophe parts none."""
    folded = without_apostrophes(fold(written))
    return _WORD.findall("and" if folded == "&" else folded)


def title_words(text: str) -> list[str]:
    """Returns everything in a title or a name that counts as a word, each once.

    “Spider-Man” has spider, man and spiderman; “L’Étranger” has letranger, l and etranger; “Rocky
    IV” has 4 and four as well. A text of signs alone has one word for all of them.
    """
    words: dict[str, None] = {}
    for written in text.split():
        found = parts(written)
        if len(found) > 1:
            found.append("".join(found))
        if without_apostrophes(written) != written:
            found += _WORD.findall(without_apostrophes(fold(written), " "))
        for word in found:
            words |= dict.fromkeys(_NUMBERS.get(word, ()) or (word,))
    return _bounded(words or _signs(text))


def text_words(text: str) -> list[str]:
    """Returns the words of a description, each once."""
    return _bounded(dict.fromkeys(_WORD.findall(without_apostrophes(fold(text)))))


def document_words(document: Document) -> tuple[list[str], list[str], list[str]]:
    """The words of a document's title, of its names, and all of them with those of its text."""
    title = title_words(document.title)
    names = list(dict.fromkeys(word for name in document.names for word in title_words(name)))
    return title, names, list(dict.fromkeys([*title, *names, *text_words(document.text)]))


def document_wholes(document: Document) -> list[str]:
    """Returns the letters of a document's title, and of whatever else it is called."""
    names = (document.title, *document.aliases)
    return list(dict.fromkeys(whole for name in names for whole in wholes(name)))


def _bounded(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word[:MAX_WORD] for word in words))[:MAX_WORDS]


def _signs(text: str) -> Iterator[str]:
    """Yields a word that stands for signs such as “!!!”, which no tokenizer would leave alone."""
    signs = "".join(clean_line(text).split())  # as what is looked for is cleaned
    if signs:
        yield "sign" + "".join(f"{ord(sign):x}" for sign in signs[: MAX_WORD // 8])


def wholes(text: str) -> list[str]:
    """Returns all letters of a title without spaces, in every way in which it is the same title.

    With and without the article it begins with, and with its numbers as digits.
    """
    words = [word for written in text.split() for word in parts(written)] or [*_signs(text)]
    found: dict[str, None] = {}
    for some in (words, _without_article(words)):
        found["".join(some)[:MAX_WHOLE]] = None
        digits = (_NUMBERS.get(word, (word,))[0] for word in some)
        found["".join(digits)[:MAX_WHOLE]] = None
    found.pop("", None)
    return list(found)


def _without_article(words: list[str]) -> list[str]:
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words
