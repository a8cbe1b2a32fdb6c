"""Marking what matched: a text in parts, some of them marked; pages escape each by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from commonroom.search.hits import Alternatives, IndexHit, Tier
from commonroom.search.words import ARTICLES, fold, parts, title_words

MAX_NAMES = 3
"""How many names that match are shown."""
BEFORE, AFTER = 40, 120
"""How many characters of a description are shown before and after what matches in it."""

_WRITTEN = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W_]+")
_CUT = "…"

Span: TypeAlias = tuple[int, int]


class TextSpan(Struct, frozen=True):
    """A part of a text."""

    text: str
    matches: bool = False


def title_parts(hit: IndexHit) -> tuple[TextSpan, ...]:
    """Returns the title of what was found."""
    title = hit.document.title
    spans = _beginning(title, hit.beginning) if hit.tier <= Tier.TITLE_BEGINS else []
    return _parts(title, spans or _spans(title, hit.words))


def snippet(hit: IndexHit) -> tuple[TextSpan, ...]:
    """What matches besides the title: names, or a piece of the description; empty if none does."""
    document = hit.document
    if hit.tier < Tier.IN_NAMES and _beginning(document.title, hit.beginning):
        return ()  # the title itself, and none of what it is called besides
    found = title_words(document.title)
    left = [words for words in hit.words if not _begins_any(found, words)]
    if not left:
        return ()
    names = [name for name in document.names if any(_spans(name, left))][:MAX_NAMES]
    if names:
        text = ", ".join(names)
        return _parts(text, _spans(text, left))
    for start, end in _spans(document.text, left):
        return _excerpt(document.text, start, end, left)
    return ()


def _begins_any(found: Iterable[str], words: Alternatives) -> bool:
    return any(one.startswith(words) for one in found)


def _excerpt(
    text: str, start: int, end: int, words: Sequence[Alternatives]
) -> tuple[TextSpan, ...]:
    """Returns a piece of a text around a place, whole words only."""
    first = text.rfind(" ", 0, max(0, start - BEFORE)) + 1
    last = text.find(" ", min(len(text), end + AFTER))
    last = len(text) if last < 0 else last
    piece = " ".join(text[first:last].split())
    shown = (_CUT if first else "") + piece + (_CUT if last < len(text) else "")
    return _parts(shown, _spans(shown, words))


def _spans(text: str, words: Sequence[Alternatives]) -> list[Span]:
    """Returns where words of a text match; all of what is written together, as in “Spider-Man”."""
    spans: list[Span] = []
    for written in _WRITTEN.finditer(text):
        runs = [*_LETTERS.finditer(text, *written.span())]
        found = [span for run in runs if (span := _marked(run, words)) is not None]
        if not found and len(runs) > 1:
            joined = "".join(parts(written.group()))
            if any(joined.startswith(alternatives) for alternatives in words):
                found = [(runs[0].start(), runs[-1].end())]
        spans += found
    return spans


def _marked(run: re.Match[str], words: Sequence[Alternatives]) -> Span | None:
    """Returns the part of a word that was typed; the whole word where something else was meant."""
    start, end = run.span()
    folded = fold(run.group())
    typed = max((len(word) for word, *_ in words if folded.startswith(word)), default=0)
    if typed:
        return start, start + typed if len(folded) == end - start else end
    found = title_words(run.group())  # a number in all its spellings
    return (start, end) if any(_begins_any(found, others) for others in words) else None


def _beginning(title: str, letters: str) -> list[Span]:
    """Where a title begins with letters, with its spaces or without; none where it does not."""
    runs = [*_LETTERS.finditer(title)]
    if runs and fold(runs[0].group()) in ARTICLES and not _begins(runs, letters):
        runs = runs[1:]
    spans: list[Span] = []
    for run in runs:
        folded = fold(run.group())
        if not letters:
            break
        typed = len(folded) if letters.startswith(folded) else len(letters)
        if not folded.startswith(letters[:typed]):
            return []
        whole = typed == len(folded) or len(folded) != len(run.group())
        spans.append((run.start(), run.end() if whole else run.start() + typed))
        letters = letters[typed:]
    return [] if letters else spans


def _begins(runs: Iterable[re.Match[str]], letters: str) -> bool:
    return fold("".join(run.group() for run in runs)).startswith(letters)


def _parts(text: str, spans: Iterable[Span]) -> tuple[TextSpan, ...]:
    """Returns a text in parts, of which those at the spans are marked."""
    found, end = [], 0
    for start, stop in sorted(spans):
        if start > end:
            found.append(TextSpan(text[end:start]))
        if stop > max(start, end):
            found.append(TextSpan(text[max(start, end) : stop], matches=True))
        end = max(end, stop)
    if end < len(text):
        found.append(TextSpan(text[end:]))
    return tuple(found)
