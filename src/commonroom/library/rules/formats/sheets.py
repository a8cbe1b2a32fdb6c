"""Separated values: bytes decoded, the header, rows as a spreadsheet counts them, and cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from msgspec import Struct, field

from commonroom.errors import InvalidField
from commonroom.library.rules.formats import InvalidRow, UnreadableFile, check_count
from commonroom.library.rules.formats.draft import Draft, excerpt
from commonroom.library.rules.items import isbn

SEPARATORS = (",", ";", "\t")
FIRST_ROW = 2
"""A spreadsheet counts the header, too."""

# A cell may be as long as a file: the reader's own limit would end the reading altogether.
csv.field_size_limit(16 * 1024 * 1024)

# A quoted cell with doubled quotation marks in it: only a spreadsheet writes tabs so.
_QUOTED_TABS = re.compile(r'(?:^|\t)"[^"\t]*""', re.MULTILINE)

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = 200
"""How many bytes tell whether every other one is empty, as in UTF-16."""
# Where a byte is no UTF-8, Python puts a lone surrogate, which no UTF-8 can hold.
_ESCAPED = {
    0xDC00 + byte: bytes([byte]).decode("cp1252", errors="replace") for byte in range(0x80, 0x100)
}

# What follows a comma and is no name of its own: “Walter M. Miller, Jr.”.
_AFTER = re.compile(r"(jr|sr|i{2,3}|iv|ph\.?d|m\.?d|esq)\.?", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*;\s*|\s+&\s+")

# 9.780141439518E+12, or with a comma; and 9780141439518.0.
_NUMBER = re.compile(r"([0-9]+)([.,][0-9]+)?(?:[eE]\+?([0-9]{1,2}))?")
SHORTEST = 8
"""Digits that an ISBN-10 has at least where a spreadsheet dropped the zeros before them."""
WHOLE = 11
"""Digits from which on a number was not rounded: zeros behind them are left out, no more."""


class Cells(Struct, frozen=True):
    """A row: its number, and its cells by the names of their columns, which have no case."""

    number: int
    cells: Mapping[str, str]
    trouble: InvalidRow | None = None
    asked: set[str] = field(default_factory=set)
    """The columns that somebody has looked at."""

    def get(self, column: str) -> str:
        """A cell without the space around it; empty where there is none."""
        return self.raw(column).strip()

    def raw(self, column: str) -> str:
        """A cell as it is."""
        self.asked.add(column)
        return self.cells.get(column, "")

    def pass_over(self, *columns: str) -> None:
        """Takes cells for looked at that say once more what others do."""
        self.asked.update(columns)

    @property
    def unread(self) -> Iterator[str]:
        """The columns with something in them that nobody has looked at."""
        for column, cell in self.cells.items():
            if column not in self.asked and cell.strip() not in ("", "0"):
                yield column


class SheetFormat(Struct, frozen=True, kw_only=True):
    """A format of separated values: how its header is known, and its rows are read."""

    columns: frozenset[str]
    any_of: frozenset[str] = frozenset()
    """Columns of which it has at least one, where there are any."""
    read: Callable[[Cells, float], Draft]
    unowned: frozenset[str] = frozenset()
    """The shelves of a service that hold what one wishes for, without case."""

    def is_header(self, columns: Collection[str]) -> bool:
        """Whether a file with these columns is of this format."""
        found = set(columns)
        return self.columns <= found and (not self.any_of or bool(self.any_of & found))


class Sheet:
    """The text of a file as a table."""

    def __init__(self, text: str, separator: str, *, quoted: bool = True) -> None:
        self._lines = list(io.StringIO(text, newline=""))
        self._separator, self._quoted = separator, quoted
        names: list[str] = next(self._reader(), [])
        self.columns = {name.strip().casefold(): name.strip() for name in names}
        """The names of the columns as they are written, by those without case."""

    def rows(self) -> Iterator[Cells]:
        """Every row that is not empty."""
        reader = self._reader()
        columns = [name.strip().casefold() for name in next(reader, [])]
        before = reader.line_num
        for number, cells in enumerate(reader, start=FIRST_ROW):
            check_count(number - 1)
            trouble = _trouble(columns, cells)
            if reader.line_num == len(self._lines) and self._is_open(before):
                trouble = InvalidRow(
                    None, "A quotation mark is never closed, so the rest is unreadable."
                )
            before = reader.line_num
            if any(cell.strip() for cell in cells):
                yield Cells(number, dict(zip(columns, cells, strict=False)), trouble)

    def _reader(self) -> csv._reader:  # type: ignore[name-defined] # typeshed's name for it
        if self._quoted:
            return csv.reader(self._lines, delimiter=self._separator)
        return csv.reader(self._lines, delimiter=self._separator, quoting=csv.QUOTE_NONE)

    def _is_open(self, start: int) -> bool:
        """Whether the last row runs to the end because a quotation mark is missing."""
        last = self._lines[start:]
        return self._quoted and len(last) > 1 and sum(line.count('"') for line in last) % 2 == 1


def header_of(text: str, separator: str) -> list[str]:
    """The names of the columns, without case."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [name.strip().casefold() for name in next(reader, [])]


def has_quoted_tabs(text: str) -> bool:
    """Whether a spreadsheet wrote a tab-separated file: it quotes cells as in CSV."""
    return _QUOTED_TABS.search(text) is not None


def _trouble(columns: list[str], cells: list[str]) -> InvalidRow | None:
    if any(cell.strip() for cell in cells[len(columns) :]):
        return InvalidRow(None, "This row has more cells than columns.")
    return None


class Decoded(NamedTuple):
    """The text of a file, and how many of its characters had to be guessed."""

    text: str
    repaired: int


def decode(file: bytes) -> Decoded:
    """The text of a file: UTF-16, or UTF-8 of which only the wrong bytes are read as Windows-1252.

    A few bytes mean nothing there either, and show as unknown characters.
    """
    encoding = _encoding(file)
    if encoding.startswith("utf-16"):
        text = file.decode(encoding, errors="replace")
        repaired = text.count(UNKNOWN)
    else:
        escaped = file.decode(encoding, errors="surrogateescape")
        text = escaped.translate(_ESCAPED)
        repaired = sum(map(escaped.count, map(chr, _ESCAPED))) if text != escaped else 0
    if "\0" in text:
        raise UnreadableFile(
            "This is not a text file. Export your books as CSV and choose that file."
        )
    return Decoded(text, repaired)


def _encoding(file: bytes) -> str:
    for mark, encoding in _MARKS:
        if file.startswith(mark):
            return encoding
    start = file[:_PROBE]
    if start and start[1::2].count(0) > len(start) // 4 > start[::2].count(0):
        return "utf-16-le"
    if start and start[::2].count(0) > len(start) // 4 > start[1::2].count(0):
        return "utf-16-be"
    return "utf-8"


def split_list(text: str, separator: str) -> list[str]:
    """The parts of a list that was written in one cell."""
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
    """Somebody who is no author, and what they did: “Ann Goldstein (Translator)”."""
    return f"{name} ({role.strip()})" if role.strip() else name


def take_isbn(draft: Draft, *texts: str) -> None:
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
    """What a number was before a spreadsheet took it for one, if its check digit agrees."""
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
