"""The contents of a file: rows that become items, collections and their history."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.imports.contents import FileContents
from commonroom.library.rules.formats import Format, LibraryRow, ParsedLibraryFile
from commonroom.library.rules.formats.draft import ItemDraft


class LibraryContents(FileContents):
    """What a file was found to hold so far, and what there is to say about it."""

    def __init__(self, now: float) -> None:
        super().__init__()
        self.now = now
        self.rows: list[LibraryRow] = []

    def add(self, draft: ItemDraft, rows: Sequence[LibraryRow] = ()) -> None:
        """Takes an item, which may be several rows, with what was noted about it."""
        self.rows.extend(rows or [draft.row])
        self.warnings.extend(draft.notes)
        for what in sorted(draft.unkept):
            self.leave(what)

    def whole(self, kind: Format) -> ParsedLibraryFile:
        """Returns all of it."""
        return ParsedLibraryFile(format=kind, rows=self.rows, **self.said)
