"""Text as it is kept: composed, without what nobody can see, and not too long."""

from __future__ import annotations

import re
import unicodedata

from commonroom.accounts.errors import Unfit

# Controls, and the signs that turn the direction of what follows: nobody means to type them.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_UNSEEN_IN_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""


def one_line(text: str, longest: int, field: str, what: str) -> str:
    """A name or title: on one line, trimmed, with something to see in it."""
    line = " ".join(_UNSEEN.sub(" ", _composed(text, field)).split())
    if not 1 <= len(line) <= longest or not any(_is_seen(char) for char in line):
        raise Unfit(field, f"{what} has 1 to {longest} characters.")
    return line


def some_lines(text: str | None, longest: int, field: str, what: str) -> str | None:
    """A description: trimmed; None where nothing is left."""
    unified = _composed(text or "", field).replace("\r\n", "\n").replace("\r", "\n")
    lines = _UNSEEN_IN_LINES.sub("", unified).strip()
    if len(lines) > longest:
        raise Unfit(field, f"{what} has at most {longest} characters.")
    return lines or None


def _composed(text: str, field: str) -> str:
    if any(unicodedata.category(char) == "Cs" for char in text):
        raise Unfit(field, "This holds half of a character.")
    return unicodedata.normalize("NFC", text)


def _is_seen(char: str) -> bool:
    return unicodedata.category(char) not in ("Cf", "Zs") and char not in _BLANKS
