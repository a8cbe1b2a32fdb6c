"""The contents of files, whatever the room: what was found, what cannot be taken, and why.

JSON files of ours are known and opened here, too, and their members looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from commonroom.imports.files import (
    InvalidRow,
    Note,
    Notes,
    ReadBudget,
    UnreadableFile,
    decode,
)
from commonroom.imports.sheets import Cells, Sheet

MAX_UNKEPT = 50
MAX_TITLE = 100
"""Of a row that cannot be taken: so that its owner knows which it is."""
DAMAGED = (msgspec.DecodeError, RecursionError)


class FileContents:
    """What files were found to hold so far, and what there is to say about it."""

    def __init__(self) -> None:
        self.budget = ReadBudget()
        self.file: str | None = None
        """The name of the file that is being read, where there are several."""
        self.bad = Notes()
        """Rows that cannot be taken."""
        self.warnings = Notes()
        """What was left out of rows that can."""
        self.repaired = 0
        """How many characters were not written as the rest of their file is."""
        self._unkept: dict[str, None] = {}

    @property
    def said(self) -> dict[str, Any]:
        """What is said of the files as a whole (`ParsedFiles`)."""
        return {
            "bad": self.bad,
            "warnings": self.warnings,
            "unkept": list(self._unkept),
            "repaired": self.repaired,
        }

    def decode(self, file: bytes) -> str:
        """Returns the text of a file, which is counted before any of it is parsed."""
        text, repaired = decode(file)
        self.repaired += repaired
        self.budget.take_cells(text)
        return text

    def leave(self, what: str) -> None:
        """Says that there is no place here for something that a file has."""
        if len(self._unkept) < MAX_UNKEPT:
            self._unkept.setdefault(what)

    def refuse(self, number: int, title: str | None, why: InvalidRow) -> None:
        """Says that a row cannot be taken."""
        shown = (title or "")[:MAX_TITLE] or None
        self.bad.append(Note(number, why.field, shown, why.detail, self.file))

    def read_sheet(
        self, sheet: Sheet, take: Callable[[Cells], None], *, title: str = "title"
    ) -> None:
        """Takes each row of a table; `title` is the column that says what a row is called."""
        self.read_rows(sheet.rows(), take, columns=sheet.columns, title=title)

    def read_rows(
        self,
        rows: Iterable[Cells],
        take: Callable[[Cells], None],
        *,
        columns: Mapping[str, str],
        title: str = "title",
    ) -> None:
        """Takes each row; one that cannot be taken does not stop the rest.

        Columns with something in them that nobody has asked for are named as not kept.
        """
        for cells in rows:
            self.budget.take_rows()
            try:
                if cells.trouble is not None:
                    raise cells.trouble
                take(cells)
            except InvalidRow as refused:
                self.refuse(cells.number, cells.get(title), refused)
                continue
            for column in cells.unread:
                self.leave(columns.get(column, column))

    def read_members(self, members: Iterable[Raw], take: Callable[[int, Raw], None]) -> None:
        """Takes each member of a list in JSON; one that cannot be taken does not stop the rest."""
        for number, raw in enumerate(members, start=1):
            try:
                take(number, raw)
            except InvalidRow as refused:
                self.refuse(number, title_in(raw), refused)


class OwnHead(Struct):
    """What tells whose file it is."""

    format: str = ""


class OwnFile(OwnHead):
    """A whole file of ours; what is in its lists is looked at one by one."""

    version: int = 1


F = TypeVar("F", bound=OwnFile)
T = TypeVar("T")

_head = msgspec.json.Decoder(OwnHead)


def is_json(text: str) -> bool:
    """Returns whether a text is meant to be JSON."""
    return text.lstrip().startswith(("{", "["))


def is_own(text: str, name: str) -> bool:
    """Returns whether a JSON text is a file of ours, of whichever version."""
    try:
        return _head.decode(text).format == name
    except DAMAGED:
        return False


def open_own(text: str, decoder: msgspec.json.Decoder[F], version: int) -> F:
    """Returns a file of ours; refused where it is damaged, or of a version that is not known."""
    try:
        found = decoder.decode(text)
    except DAMAGED:
        raise UnreadableFile("This JSON file was exported by Commonroom, but is damaged.") from None
    if found.version != version:
        raise UnreadableFile("This file was exported by a newer version of Commonroom.")
    return found


def decode_member(raw: Raw, decoder: msgspec.json.Decoder[T]) -> T:
    """Returns a member of a list; refused in a sentence where it is not as it should be."""
    try:
        return decoder.decode(raw)
    except DAMAGED as error:  # msgspec says it with marks for programmers
        why = str(error).replace("`", "").replace("$.", "")
        raise InvalidRow(None, f"{why}.") from None


def title_in(raw: Raw) -> str | None:
    """Returns what a damaged member is called, so that its owner knows which it is."""
    try:
        title = msgspec.json.decode(raw, type=dict[str, Any]).get("title")
    except DAMAGED:
        return None
    return title if isinstance(title, str) else None
