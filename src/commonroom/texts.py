"""Texts that people type: the one cleaner, how long a field may be, and what texts are sorted by.

A clean text is normalised, and without what nobody can see. That is taken out rather than refused:
it comes along with a name that is copied from a page or a chat. Two names that look alike are then
stored alike.
"""

from __future__ import annotations

import re
import unicodedata

from commonroom.errors import InvalidField

# Controls, halves of characters, zero-width signs, and what turns the direction of the text.
_HIDDEN_IN_LINE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0d\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)
_NOT_ASCII_SAFE = re.compile("[^ -~]")
_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile("[\t\n\x0b\x0c\r\x85\u2028\u2029]")

# Letters and signs that show nothing, as wide as a space.
_BLANK = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")

# The flags of England, Scotland and Wales are spelt with otherwise invisible signs.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")

# Joiners make families of emoji and shape Arabic and Indic letters; between others they hide.
_JOINERS = re.compile("[\u200c\u200d]+")
_JOINABLE = ("So", "Sk", "Mn", "Mc")
_JOINING_SCRIPTS = re.compile("[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af]")

# Letters that no accent tells from others, but that hardly anybody types. The last has no dot.
_PLAINER = str.maketrans({"œ": "oe", "æ": "ae", "þ": "th"}) | str.maketrans("øłđðħ\u0131", "olddhi")
_APOSTROPHES = re.compile("['`’\u2018\u201b\u02bc\u02bb\u2032]")

COLLATION_KEY_BYTES = 400
"""Two of them fit in a sort key; only letters that fall apart into many ever get there."""

# White space, `#`, and the few signs that sort before `#`: none may stand between "Foo" and "Foo#".
_BREAKS_KEY = re.compile(r"[\s\x00-#]+")


def clean_line(text: str) -> str:
    """A name or title: on one line, with single spaces; empty where there is nothing to see."""
    if _NOT_ASCII_SAFE.search(text):
        text = _visible(_SPACES.sub(" ", text))
    return " ".join(text.split())


def clean_lines(text: str) -> str:
    """A description: line breaks and tabs stay, as they were typed on any machine; trimmed."""
    unified = _BREAK.sub("\n", text)
    if not _NOT_ASCII_SAFE.search(unified):
        return unified.strip()
    cleaned = [
        "\t".join(_visible(cell) for cell in line.split("\t")) for line in unified.split("\n")
    ]
    return "\n".join(cleaned).strip()


def _visible(text: str) -> str:
    """Returns the text without what is hidden in it, in Unicode's composed form (NFC)."""
    composed = _BLANK.sub(" ", unicodedata.normalize("NFC", text))
    pieces, end = [], 0
    for flag in _FLAG.finditer(composed):
        pieces += [_HIDDEN_IN_LINE.sub("", composed[end : flag.start()]), flag.group()]
        end = flag.end()
    shown = "".join([*pieces, _HIDDEN_IN_LINE.sub("", composed[end:])])
    return unicodedata.normalize("NFC", _JOINERS.sub(_joiner, shown))


def _joiner(found: re.Match[str]) -> str:
    text = found.string
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    return found.group()[0] if before and after and _joins(before) and _joins(after) else ""


def _joins(char: str) -> bool:
    return unicodedata.category(char) in _JOINABLE or bool(_JOINING_SCRIPTS.match(char))


def fit_line(field: str, text: str, longest: int, empty: str = "Enter a name.") -> str:
    """A name or title: on one line, trimmed, with something to see in it, or `empty` is said."""
    line = clean_line(text)
    if not line:
        raise InvalidField(field, empty)
    return _fit(field, line, longest)


def fit_optional_line(field: str, text: str | None, longest: int) -> str | None:
    """Fits a line to its field, where it may be left empty."""
    return _fit(field, clean_line(text or ""), longest) or None


def fit_lines(field: str, text: str | None, longest: int) -> str | None:
    """Returns a description: any number of lines, trimmed; None where nothing is left."""
    return _fit(field, clean_lines(text or ""), longest) or None


def _fit(field: str, text: str, longest: int) -> str:
    if len(text) > longest:
        raise InvalidField(field, f"Use at most {longest} characters.")
    return text


def collation_key(text: str) -> str:
    """Text whose bytes sort as a reader would: no marks, no case, nothing that ends a key part.

    What would sort before `#`, and `#` itself, become `_`, which sorts after it: what belongs to
    "Foo" always follows it directly, before "Foo Bar" and "Foo!".
    """
    if text.isascii():  # has no marks, and most text is
        return _cut(_BREAKS_KEY.sub("_", text.lower()) or "_")
    folded = _BREAKS_KEY.sub("_", fold(text))
    return _cut(folded if folded.strip("_") else _BREAKS_KEY.sub("_", text) or "_")


def fold(text: str) -> str:
    """Returns the text in small letters, without accents."""
    if text.isascii():
        return text.lower()
    # Case-folding can bring marks back (İ), and normalising twice costs less than a surprise.
    return _without_marks(_without_marks(text).casefold())


def as_typed(folded: str) -> str:
    """Returns folded text with the letters that people type: “o” for “ø”, “ae” for “æ”."""
    return folded if folded.isascii() else folded.translate(_PLAINER)


def without_apostrophes(text: str, instead: str = "") -> str:
    """Returns the text with another sign, or none, for each apostrophe, however it is typed."""
    return _APOSTROPHES.sub(instead, text)


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _cut(text: str) -> str:
    if len(text) * 4 <= COLLATION_KEY_BYTES:
        return text
    return text.encode()[:COLLATION_KEY_BYTES].decode(errors="ignore")
