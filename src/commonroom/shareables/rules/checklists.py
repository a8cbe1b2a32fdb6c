"""Checklists: what may be on one, and what becomes of its items when it is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.errors import FieldErrors, InvalidField
from commonroom.shareables.rules.limits import MAX_NAME
from commonroom.shareables.rules.short_ids import new_id
from commonroom.shareables.rules.typed import IN_ALL, KeptId, Line, Name, Text
from commonroom.shareables.tables import Checklist, ChecklistItem
from commonroom.texts import fit_line, fit_lines

MAX_ITEMS = 200
MAX_ITEM, MAX_ITEM_NOTE, MAX_NOTE, MAX_TICKER = 200, 1000, 5000, 60


class TypedChecklistItem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a checklist, as entered."""

    checklist_item_id: KeptId | None = None
    name: Line
    note: Text | None = None


class TypedChecklist(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A checklist, as entered."""

    name: Name
    note: Text | None = None
    items: Annotated[
        list[TypedChecklistItem],
        Meta(max_length=2 * MAX_ITEMS, description=f"1 to {MAX_ITEMS}. {IN_ALL}"),
    ]
    ticks_shared: Annotated[
        bool, Meta(description="Whether everyone sees the same ticks, or each device its own.")
    ] = False


def checklist_fields(typed: TypedChecklist, before: Checklist | None = None) -> dict[str, Any]:
    """Returns the fields to store; items keep their ids, whatever their order and name."""
    errors = FieldErrors()
    fields = {
        "name": errors.check(fit_line, "name", typed.name, MAX_NAME, "Give it a title."),
        "note": errors.check(fit_lines, "note", typed.note, MAX_NOTE),
        "items": errors.check(_items, typed.items, before),
        "ticks_shared": typed.ticks_shared,
    }
    errors.raise_if_any()
    return fields


def _items(typed: Sequence[TypedChecklistItem], before: Checklist | None) -> list[ChecklistItem]:
    if not 1 <= len(typed) <= MAX_ITEMS:
        raise InvalidField("items", f"Add 1 to {MAX_ITEMS} items.")
    known = {} if before is None else {one.checklist_item_id: one for one in before.items}
    items = [_item(one, known) for one in typed]
    if len({one.checklist_item_id for one in items}) < len(items):
        raise InvalidField("items", "An item cannot be on a list twice.")
    return items


def _item(typed: TypedChecklistItem, known: Mapping[str, ChecklistItem]) -> ChecklistItem:
    if typed.checklist_item_id is not None and typed.checklist_item_id not in known:
        raise InvalidField("items", "One of these items is no longer on the list.")
    return ChecklistItem(
        checklist_item_id=typed.checklist_item_id or new_id(),
        name=fit_line("items", typed.name, MAX_ITEM, "Enter an item."),
        note=fit_lines("items", typed.note, MAX_ITEM_NOTE),
    )


def removed_items(before: Checklist, items: Sequence[ChecklistItem]) -> list[str]:
    """Returns the ids of the items that are no longer there."""
    left = {one.checklist_item_id for one in items}
    return [one.checklist_item_id for one in before.items if one.checklist_item_id not in left]
