"""Formats of separated values, and what their cells hold: lists, people, ISBNs."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from commonroom.errors import InvalidField
from commonroom.imports.files import excerpt
from commonroom.imports.sheets import Cells, SheetHeader
from commonroom.library.rules.formats.draft import ItemDraft
from commonroom.library.rules.items import isbn

# What follows a comma and is no name of its own: “Walter M. Miller, Jr.”.
_AFTER = re.compile(r"(jr|sr|i{2,3}|iv|ph\.?d|m\.?d|esq)\.?", re.IGNORECASE)
# Whatever people call it, without dashes: “did-not-finish”, “DNF”, “won't finish”.
_GAVE_UP = re.compile(
    r"dnf|dnfed|(did|could|will|do|have)(not|nt)finish(ed)?|wontfinish|(not|un)finished"
    r"|abandoned|gaveup|givenup|quit|stoppedreading"
)
_BETWEEN = re.compile(r"\s*;\s*|\s+&\s+")

# 9.780141439518E+12, or with a comma; and 9780141439518.0.
_NUMBER = re.compile(r"([0-9]+)([.,][0-9]+)?(?:[eE]\+?([0-9]{1,2}))?")
SHORTEST = 8
"""Digits that an ISBN-10 has at least where a spreadsheet dropped the zeros before them."""
WHOLE = 11
"""Digits from which on a number was not rounded: zeros behind them are left out, no more."""


class SheetFormat(SheetHeader, frozen=True, kw_only=True):
    """A format of separated values: how its header is known, and its rows are read."""

    read: Callable[[Cells, float], ItemDraft]
    unowned: frozenset[str] = frozenset()
    """The shelves of a service that hold what one wishes for, without case."""


def is_given_up(shelf: str) -> bool:
    """Returns whether a shelf of another service holds what was begun and not finished."""
    return _GAVE_UP.fullmatch(re.sub(r"[\s_'’-]+", "", shelf.casefold())) is not None


def split_list(text: str, separator: str) -> list[str]:
    """Returns the parts of a list that was written in one cell."""
    found: list[str] = []
    for part in (one.strip() for one in text.split(separator)):
        if found and _AFTER.fullmatch(part):
            found[-1] += f", {part}"
        elif part:
            found.append(part)
    return found


def split_people(text: str) -> list[str]:
    """“A & B”, or “A; B”, as two people; “Dorling & Kindersley” are one, for they have no names."""
    names = [one for one in _BETWEEN.split(text.strip()) if one]
    return names if all(" " in one or "," in one for one in names) else [text.strip()]


def first_name_first(name: str) -> str:
    """“Tolkien, J. R. R.” as one says it; what has no comma stays as it is."""
    last, *rest = split_list(name, ",") or [""]
    surname, _, after = last.partition(", ")
    if len(rest) != 1:
        return name.strip()
    first, _, later = rest[0].partition(", ")
    suffix = after or later
    return f"{first} {surname}{', ' + suffix if suffix else ''}"


def with_role(name: str, role: str) -> str:
    """Returns a contributor who is no author, and what they did: “Ann Goldstein (Translator)”."""
    return f"{name} ({role.strip()})" if role.strip() else name


def take_isbn(draft: ItemDraft, *texts: str) -> None:
    """Takes the first that is one, one with thirteen digits before one with ten."""
    given = [plain for text in texts if (plain := _unwrapped(text)).strip("0- ")]
    found = [(kept, text) for text in given if (kept := _isbn(text)) is not None]
    if found:
        draft.take("isbn", max((kept for kept, _ in found), key=len))
    elif mended := [(kept, text) for text in given if (kept := _mended(text)) is not None]:
        kept, text = max(mended, key=lambda one: len(one[0]))
        draft.take("isbn", kept)
        draft.note("isbn", f"“{excerpt(text)}” was changed by a spreadsheet: read as {kept}.")
    elif given:
        why = "is not an ISBN"
        if _is_rounded(given[0]):
            why = "was rounded by a spreadsheet: its last digits are lost"
        draft.note("isbn", f"“{excerpt(given[0])}” {why}. Skipped.")


def _unwrapped(text: str) -> str:
    """Without what keeps a spreadsheet from taking it for a number: ="…", '… and […]."""
    return re.sub(r"^isbn(?:-?1[03])?:?\s*", "", text.strip(" \t=\"'[]"), flags=re.IGNORECASE)


def _isbn(text: str) -> str | None:
    try:
        return isbn(text)
    except InvalidField:
        return None


def _mended(text: str) -> str | None:
    """Returns what a number was before a spreadsheet took it for one, if its check digit agrees."""
    digits = text
    if _NUMBER.fullmatch(text):
        number = Decimal(text.replace(",", "."))
        if _is_rounded(text) or number != number.to_integral_value() or number >= 10**13:
            return None
        digits = str(int(number))
    return _isbn(digits.zfill(10)) if SHORTEST <= len(digits) < 10 else _isbn(digits)


def _is_rounded(text: str) -> bool:
    match = _NUMBER.fullmatch(text)
    if match is None or match[3] is None:
        return False
    return len(match[1] + (match[2] or ".")[1:]) < WHOLE
