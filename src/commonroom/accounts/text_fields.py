"""Text fields: what people type, cleaned and of a length that is taken, counted in characters."""

from __future__ import annotations

from commonroom.errors import InvalidField
from commonroom.texts import clean_line, clean_lines


def fit_line(field: str, text: str, longest: int, empty: str = "Enter a name.") -> str:
    """A name or title: on one line, trimmed, with something to see in it, or `empty` is said."""
    line = clean_line(text)
    if not line:
        raise InvalidField(field, empty)
    return _fit(field, line, longest)


def fit_optional_line(field: str, text: str | None, longest: int) -> str | None:
    """The same, where nothing may be typed."""
    return _fit(field, clean_line(text or ""), longest) or None


def fit_lines(field: str, text: str | None, longest: int) -> str | None:
    """A description: any number of lines, trimmed; None where nothing is left."""
    return _fit(field, clean_lines(text or ""), longest) or None


def _fit(field: str, text: str, longest: int) -> str:
    if len(text) > longest:
        raise InvalidField(field, f"Use at most {longest} characters.")
    return text
