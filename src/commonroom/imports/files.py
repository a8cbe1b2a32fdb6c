"""Files that people import: their text, their fields, what is said of rows, and what is refused."""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Callable, Iterable
from datetime import datetime, tzinfo
from typing import ClassVar, NamedTuple

import msgspec
from msgspec import Struct

from commonroom.errors import Refusal
from commonroom.moments import in_utc

MAX_FILE = 8_000_000
MAX_ROWS = 20_000
NOTE_BYTES = 100_000
"""How much room notes about a file have: twice as much, and the rest, fit into an item."""
MAX_NOTES = 5_000
"""Of one kind: more never fit into NOTE_BYTES."""
MAX_EXCERPT = 30
MAX_UNPACKED = 32_000_000
MAX_CELLS = 1_500_000
"""A real export of 20,000 rows with thirty columns has half of them."""
MAX_ROWS_READ = 200_000
"""Rows and entries that are looked at: of a show, each episode is one."""

_BETWEEN_CELLS = ",;\t"

_STARS = re.compile(r"[0-9]{1,2}(?:[.,][0-9]{1,2})?")
_BREAK = re.compile(r"<br\s*/?>|</p>|\[return\]", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]{0,200}>", re.IGNORECASE)

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
_WRONG = re.compile("[\udc80-\udcff]+")


class Note(Struct, frozen=True):
    """Something to say about a row: why it cannot be taken, or what was left out of it."""

    number: int
    """The row as a spreadsheet counts it; in JSON, the item's place in the list."""
    field: str | None
    title: str | None
    why: str
    file: str | None = None
    """Which one of several, where there are several."""


class UnreadableFile(Refusal):
    """A file that is none of those that can be imported."""

    status: ClassVar[int] = 422
    title = "This file cannot be imported"


class FileTooLarge(UnreadableFile):
    """A file with more in it than is taken at once."""

    status: ClassVar[int] = 413


class InvalidRow(Refusal):
    """A row that cannot be taken; the rest of the file can."""

    def __init__(self, field: str | None, detail: str) -> None:
        super().__init__(detail, field=field)
        self.field = field


def check_size(file: bytes) -> None:
    """Refuses a file with too many bytes."""
    if len(file) > MAX_FILE:
        raise FileTooLarge(f"A file can have up to {MAX_FILE // 1_000_000} MB. Export it in parts.")


def check_count(rows: int, most: int = MAX_ROWS) -> None:
    """Refuses a file with too many rows."""
    if rows > most:
        raise FileTooLarge(f"A file can have up to {most:,} rows. Import it in parts.")


class ReadBudget:
    """How many bytes, cells and rows are left; refuses what goes beyond."""

    def __init__(self) -> None:
        self.bytes_left = MAX_UNPACKED
        self._cells_left = MAX_CELLS
        self._rows_left = MAX_ROWS_READ

    def take_bytes(self, number: int) -> None:
        """Counts what was sent or unpacked."""
        self.bytes_left -= number
        if self.bytes_left < 0:
            raise FileTooLarge(
                f"Unpacked, all files together can have up to {MAX_UNPACKED // 1_000_000} MB."
            )

    def take_cells(self, text: str) -> None:
        """Counts what may be cells of a table, or members of JSON, before any of it is parsed."""
        lines = max(text.count("\n"), text.count("\r"))
        self._cells_left -= lines + sum(map(text.count, _BETWEEN_CELLS))
        if self._cells_left < 0:
            raise FileTooLarge("There are too many cells in this file. Import it in parts.")

    def take_rows(self, number: int = 1) -> None:
        """Counts rows that are looked at, whether or not they can be taken."""
        self._rows_left -= number
        if self._rows_left < 0:
            raise FileTooLarge(
                f"You can import up to {MAX_ROWS_READ:,} rows at once. Import them in parts."
            )


class Notes(list[Note]):
    """The first notes about files, and how many there are in all."""

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def append(self, note: Note) -> None:
        """Keeps a note, unless there are as many already as a report can ever show."""
        self.total += 1
        if len(self) < MAX_NOTES:
            super().append(note)

    def extend(self, notes: Iterable[Note]) -> None:
        """Keeps notes as far as there is room for them."""
        for note in notes:
            self.append(note)


class ParsedFiles(Struct, frozen=True, kw_only=True):
    """All that was sent: a file, or several, or what is in an archive."""

    bad: Notes
    """Rows that cannot be taken."""
    warnings: Notes
    """What was left out of rows that can."""
    unkept: list[str] = []
    """What there is in it that the room has no place for, such as the names of columns."""
    repaired: int = 0
    """How many characters were not written as the rest of their file is."""


def as_many_as_fit(notes: Iterable[Note]) -> list[Note]:
    """Notes for a report: all of them, unless they are more than an item can hold."""
    fitting: list[Note] = []
    room = NOTE_BYTES
    for note in notes:
        room -= len(msgspec.json.encode(note))
        if room < 0:
            break
        fitting.append(note)
    return fitting


def cut(text: str, longest: int) -> str:
    """Returns a text that is shortened, and shows it."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def plain_text(text: str) -> str:
    """Returns a text without the marks of a web page."""
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", text))).strip()


def excerpt(text: str) -> str:
    """Returns what stands in a file, as far as a note can hold it."""
    return cut(text, MAX_EXCERPT)


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
        repaired = len(escaped) - len(_WRONG.sub("", escaped))
    if "\0" in text:
        raise UnreadableFile("This is not a text file. Export it as CSV and choose that file.")
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


def stars_in(text: str) -> float | None:
    """Returns a rating, with a point or a comma; None where it is none."""
    if text.isascii() and _STARS.fullmatch(text):
        return float(text.replace(",", "."))
    return None


def past_moment(
    text: str,
    now: float,
    zone: tzinfo,
    parse: Callable[[str], datetime] = datetime.fromisoformat,
) -> str:
    """Returns a moment of the past to the millisecond; a day alone is its beginning."""
    try:
        at = parse(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=zone)
        kept, seconds = in_utc(at.isoformat()), at.timestamp()
    except (ValueError, OverflowError):
        raise InvalidRow(None, f"“{excerpt(text)}” is not a date and time.") from None
    if not 0 <= seconds <= now:
        raise InvalidRow(None, f"“{excerpt(text)}” is not in the past.")
    return kept
