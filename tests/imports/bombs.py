"""Files of a few kilobytes that would become gigabytes: what an import must survive."""

from __future__ import annotations

import io
import zipfile

LETTERBOXD_HEAD = b"Date,Name,Year,Letterboxd URI\n"


def packed(method: int, *contents: bytes, name: str = "watchlist{}.csv") -> bytes:
    """An archive whose files are packed by a method."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as archive:
        for number, content in enumerate(contents):
            archive.writestr(name.format(number), content)
    return written.getvalue()


def long_cell(megabytes: int) -> bytes:
    """A table with one cell as long as a film."""
    return LETTERBOXD_HEAD + b'2024-01-01,"' + b"x" * (megabytes * 1_000_000) + b'",1995,u\n'


def wide_table(columns: int) -> bytes:
    """A table with more columns than anybody can want."""
    return LETTERBOXD_HEAD.strip() + b",zz" * columns + b"\n2024-01-01,Heat,1995,u\n"


def wide_rows(rows: int, cells: int) -> bytes:
    """A table whose rows have far more cells than there are columns."""
    return LETTERBOXD_HEAD + (b"2024-01-01,Heat,1995,u" + b",zz" * cells + b"\n") * rows


def bad_rows(rows: int) -> bytes:
    """A table of which no row can be taken."""
    return LETTERBOXD_HEAD + b"x,,y,\n" * rows


def many_sections(number: int) -> bytes:
    """JSON of one object with far more members than an export has."""
    return b"{" + b",".join(b'"%d":[]' % one for one in range(number)) + b"}"
