"""A checklist as somebody sees it: with everybody's ticks, or with those of their device."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from commonroom.shareables.pages.ticks import name_here, ticked_here
from commonroom.shareables.tables import Checklist, ChecklistItem, Tick
from commonroom.web.request import Request


class Line(Struct, frozen=True):
    """An item, and whether it is done."""

    item: ChecklistItem
    is_done: bool
    by: str | None = None
    """Who ticked it, where they said."""


class ListSeen(Struct, frozen=True):
    """All items in their order."""

    lines: list[Line]
    name: str | None
    """With which somebody ticks here."""

    @property
    def done(self) -> int:
        """How many are ticked."""
        return sum(one.is_done for one in self.lines)


def list_seen(request: Request, page: Checklist, ticks: Mapping[str, Tick]) -> ListSeen:
    """A checklist, as it looks on this device."""
    if page.ticks_shared:
        by: dict[str, str | None] = {item_id: tick.by for item_id, tick in ticks.items()}
    else:
        by = dict.fromkeys(ticked_here(request, page))
    lines = [
        Line(one, one.checklist_item_id in by, by.get(one.checklist_item_id)) for one in page.items
    ]
    return ListSeen(lines, name_here(request))
