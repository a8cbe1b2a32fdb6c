"""ISBNs: their two forms and their check digits."""

from __future__ import annotations

import re

from commonroom.errors import InvalidField

_TEN = re.compile(r"[0-9]{9}[0-9X]")
_THIRTEEN = re.compile(r"97[89][0-9]{10}")
_BETWEEN = re.compile(r"[\s\u2010-\u2015-]+")


def isbn(text: str) -> str:
    """An ISBN as it is kept: ten or thirteen signs without dashes, with the right check digit."""
    plain = _BETWEEN.sub("", text).upper()
    if (_TEN.fullmatch(plain) and plain[9] == _tenth(plain)) or (
        _THIRTEEN.fullmatch(plain) and plain[12] == _thirteenth(plain)
    ):
        return plain
    raise InvalidField("isbn", "This is not a valid ISBN. Check the digits.")


def thirteen(kept: str) -> str:
    """The same ISBN with thirteen digits, in which two editions can be compared."""
    if len(kept) == 13:
        return kept
    start = "978" + kept[:9]
    return start + _thirteenth(start)


def _tenth(digits: str) -> str:
    rest = -sum(int(digit) * (10 - place) for place, digit in enumerate(digits[:9])) % 11
    return "X" if rest == 10 else str(rest)


def _thirteenth(digits: str) -> str:
    return str(-sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits[:12])) % 10)
