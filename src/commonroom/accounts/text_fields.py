"""Text fields: what people type, cleaned and of a length that is taken, counted in characters."""

from __future__ import annotations

from commonroom.errors import InvalidField
from commonroom.texts import clean_line, clean_lines


def fit_line(field: str, text: str, longest: int, what: str = "This takes") -> str:
    """A name or title: on one line, trimmed, with something to see in it."""
    line = clean_line(text)
    if not 1 <= len(line) <= longest:
        raise InvalidField(field, f"{what} 1 to {longest} characters.")
    return line


def fit_optional_line(
    field: str, text: str | None, longest: int, what: str = "This takes"
) -> str | None:
    """The same, where nothing may be typed."""
    return fit_line(field, text, longest, what) if text and clean_line(text) else None


def fit_lines(field: str, text: str | None, longest: int, what: str = "This takes") -> str | None:
    """A description: any number of lines, trimmed; None where nothing is left."""
    lines = clean_lines(text or "")
    if len(lines) > longest:
        raise InvalidField(field, f"{what} at most {longest} characters.")
    return lines or None
