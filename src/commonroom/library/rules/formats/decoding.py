"""From bytes to text: what spreadsheets and other services write, without being told."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from commonroom.library.rules.formats.errors import UnreadableFile

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
