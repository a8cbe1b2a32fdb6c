"""The contents of files, whatever the room: what was found, what cannot be taken, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Raw

from commonroom.imports.files import InvalidRow, Note, Notes, ReadBudget, decode
from commonroom.imports.json_files import title_in
from commonroom.imports.sheets import Cells, Sheet

MAX_UNKEPT = 50
MAX_TITLE = 100
"""Of a row that cannot be taken: so that its owner knows which it is."""


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
