"""A checklist in its form."""

from __future__ import annotations

from commonroom.shareables.pages.drafts.draft import (
    EDITING,
    SETTINGS,
    AnyDraft,
    DraftRow,
    RowAction,
    Sheet,
    arrange,
    filled,
    keep_value,
    mark_errors,
    page_values,
    row_action,
    with_room,
)
from commonroom.shareables.rules.checklists import (
    MAX_ITEM,
    MAX_ITEM_NOTE,
    MAX_ITEMS,
    TypedChecklist,
    TypedChecklistItem,
)
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import Checklist

KNOWN = {"note", "ticks_shared"} | SETTINGS | EDITING
ROWS_AT_FIRST = 4


class ChecklistDraft(AnyDraft, frozen=True):
    """What stands in the form of a checklist."""

    @classmethod
    def blank(cls, zone: str) -> ChecklistDraft:  # noqa: ARG003 - a list has no times
        """Returns a form that nobody has typed into."""
        return cls({"ticks_shared": "true", "expires_after": "7"})

    @classmethod
    def of(cls, page: Checklist) -> ChecklistDraft:
        """Returns a checklist, to be edited."""
        seen = [one.checklist_item_id for one in page.items]
        values = page_values(page, "note", "ticks_shared", seen=seen)
        rows = [
            DraftRow(id=one.checklist_item_id, text=one.name, note=one.note or "")
            for one in page.items
        ]
        return cls(values, rows=rows)

    @classmethod
    def read(cls, sheet: Sheet) -> ChecklistDraft:
        """Returns what was typed, after what a button did with it."""
        values: dict[str, str] = {}
        rows: list[DraftRow] = []
        pasted = ""
        asked: tuple[int, RowAction] | None = None
        for name, text in sheet:
            match name:
                case "item_id":
                    rows.append(DraftRow(id=text))
                case "item" if rows:
                    rows[-1].text = text
                case "item_note" if rows:
                    rows[-1].note = text
                case "item_do" if rows:
                    asked = len(rows) - 1, row_action(text)
                case "pasted":
                    pasted = text
                case "do":
                    asked = 0, "more"
                case _:
                    keep_value(values, KNOWN, name, text)
        if asked is not None:
            arrange(rows, *asked, DraftRow)
        if asked is None or pasted.strip():
            rows = filled([*rows, *(DraftRow(text=one) for one in pasted.splitlines())])
        return cls(values, rows=rows, is_rearranged=asked is not None)

    @property
    def rows_shown(self) -> list[DraftRow]:
        """The rows, with room to go on."""
        return with_room(self.rows, DraftRow, least=ROWS_AT_FIRST, most=MAX_ITEMS)

    def typed(self, _now: float, _before: Page | None = None) -> TypedChecklist:
        """As the rules take it."""
        items = [
            TypedChecklistItem(
                checklist_item_id=one.id or None, name=one.text, note=one.note or None
            )
            for one in self.rows
        ]
        return TypedChecklist(
            name=self.text("name"),
            note=self.text("note"),
            items=items,
            ticks_shared=bool(self.text("ticks_shared")),
        )

    def mark(self) -> None:
        """Says beside each item what is wrong with it."""
        mark_errors(self.rows, MAX_ITEM, MAX_ITEM_NOTE)
