"""A checklist as its reader sees it: with everybody's ticks, or with those of their device.

Those that stay on a device are in a cookie, which holds a short mark for each item that is ticked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any
from urllib.parse import quote, unquote

from msgspec import Struct

from commonroom.http.headers import cookie_in
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.sealed_tokens import from_base64url, to_base64url
from commonroom.shareables.pages.cookies import NAME, TICKS, keep
from commonroom.shareables.rules.checklists import MAX_ITEMS, MAX_TICKER
from commonroom.shareables.tables import Checklist, ChecklistItem, Tick

MARK_BYTES = 4
"""So that the longest list fits into a cookie, and two of its items hardly ever look alike."""


def ticked_here(request: Request, page: Checklist) -> set[str]:
    """Returns the ids of the items that are ticked on this device."""
    kept = cookie_in(request.scope, TICKS) or ""
    try:
        raw = from_base64url(kept)
    except ValueError:
        return set()
    ends = range(0, min(len(raw), MAX_ITEMS * MARK_BYTES), MARK_BYTES)
    marks = {raw[start : start + MARK_BYTES] for start in ends}
    return {one.checklist_item_id for one in page.items if _mark(one.checklist_item_id) in marks}


def keep_ticks(
    request: Request, answer: Response[Any], page: Checklist, ticked: Iterable[str]
) -> None:
    """Keeps which items are ticked on this device; those that are gone from the list are not."""
    chosen = set(ticked)
    marks = [_mark(one.checklist_item_id) for one in page.items if one.checklist_item_id in chosen]
    keep(request, answer, page.short_id, TICKS, to_base64url(b"".join(marks)))


def name_here(request: Request) -> str | None:
    """Returns the name under which ticks are made on this device, if any."""
    return unquote(cookie_in(request.scope, NAME) or "")[:MAX_TICKER] or None


def keep_name(request: Request, answer: Response[Any], short_id: str, name: str | None) -> None:
    """Keeps the name under which ticks are made; None for none."""
    keep(request, answer, short_id, NAME, quote(name or ""))


def _mark(item_id: str) -> bytes:
    return blake2b(item_id.encode(), digest_size=MARK_BYTES).digest()


class ChecklistLine(Struct, frozen=True):
    """An item, and whether it is done."""

    item: ChecklistItem
    is_done: bool
    by: str | None = None
    """Who ticked it, where they said."""


class ChecklistCard(Struct, frozen=True, dict=True):
    """All items in their order."""

    lines: list[ChecklistLine]
    name: str | None
    """Under which ticks are made here."""

    @cached_property
    def done(self) -> int:
        """How many are ticked."""
        return sum(one.is_done for one in self.lines)


def checklist_view(request: Request, page: Checklist, ticks: Mapping[str, Tick]) -> ChecklistCard:
    """Returns a checklist, as it looks on this device."""
    if page.ticks_shared:
        by: dict[str, str | None] = {item_id: tick.by for item_id, tick in ticks.items()}
    else:
        by = dict.fromkeys(ticked_here(request, page))
    lines = [
        ChecklistLine(one, one.checklist_item_id in by, by.get(one.checklist_item_id))
        for one in page.items
    ]
    return ChecklistCard(lines, name_here(request))
