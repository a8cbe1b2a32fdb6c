"""From bytes to text: what spreadsheets and other services write, without being told."""

from __future__ import annotations

import codecs

from commonroom.library.rules.formats.errors import Unreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = 200
"""How many bytes tell whether every other one is empty, as in UTF-16."""


def text_of(file: bytes) -> str:
    """The text of a file: UTF-8, UTF-16, or else Windows-1252."""
    try:
        text = file.decode(_encoding(file))
    except UnicodeDecodeError:
        # A few bytes mean nothing there; Latin letters are more likely than anything else.
        text = file.decode("cp1252", errors="replace")
    if "\0" in text:
        raise Unreadable("This is no text file. Export your books as CSV, and choose that file.")
    return text


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
