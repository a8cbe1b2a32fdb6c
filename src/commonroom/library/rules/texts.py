"""Texts of the library: cleaned in the one place, and not too long."""

from __future__ import annotations

from commonroom.accounts.errors import Unfit
from commonroom.texts import clean_line, clean_lines


def one_line(text: str, longest: int, field: str, what: str) -> str:
    """A name or title: on one line, trimmed, with something to see in it."""
    line = clean_line(text)
    if not 1 <= len(line) <= longest:
        raise Unfit(field, f"Enter {what} of up to {longest} characters.")
    return line


def some_lines(text: str | None, longest: int, field: str, what: str) -> str | None:
    """A description: trimmed; None where nothing is left."""
    lines = clean_lines(text or "")
    if len(lines) > longest:
        raise Unfit(field, f"Use at most {longest} characters for {what}.")
    return lines or None
