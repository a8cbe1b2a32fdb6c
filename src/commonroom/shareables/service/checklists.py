"""Ticking items off a list that everyone shares."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from msgspec.structs import replace

from commonroom.errors import NotFound
from commonroom.moments import iso
from commonroom.shareables.errors import AnswersClosed
from commonroom.shareables.rules.checklists import MAX_TICKER
from commonroom.shareables.service.gate import PageAccess, as_admin, carry_out
from commonroom.shareables.tables import Checklist, ChecklistTick, Tick, checklist_ticks
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    check,
    create,
    delete,
    discard,
    equal,
    put,
    update,
)
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.store import MAX_PAGE
from commonroom.texts import fit_optional_line

TOGETHER = REQUEST_OPERATIONS - 10
"""How many ticks one write changes beside what it holds of the page."""


async def ticks_of(store: Store, page: Checklist) -> dict[str, Tick]:
    """Returns the ticks that everyone sees, by item id: one request, and none where there are none.

    Those of items that are no longer on the list count no more; a consumer clears them up.
    """
    if not page.ticks_shared:
        return {}
    found = await store.page(checklist_ticks(short_id=page.short_id), limit=MAX_PAGE)
    own = {one.checklist_item_id: Tick(at=one.ticked_at, by=one.ticked_by) for one in found.items}
    ticks = page.ticks | own
    listed = [one.checklist_item_id for one in page.items]
    return {item_id: ticks[item_id] for item_id in listed if item_id in ticks}


async def ticks_on(store: Store, pages: Sequence[Checklist]) -> dict[str, dict[str, Tick]]:
    """Returns the ticks of several pages that share them, by short id.

    None are read where there are no pages; else one request for every hundred items on them.
    """
    asked = [(page, item.checklist_item_id) for page in pages for item in page.items]
    refs = [ChecklistTick.at(short_id=page.short_id, checklist_item_id=one) for page, one in asked]
    found: dict[str, dict[str, Tick]] = {page.short_id: {} for page in pages}
    for (page, item_id), own in zip(asked, await store.batch_get(refs), strict=True):
        ticked = page.ticks.get(item_id)
        if own is not None:
            ticked = Tick(at=own.ticked_at, by=own.ticked_by)
        if ticked is not None:
            found[page.short_id][item_id] = ticked
    return found


async def tick(gate: PageAccess[Checklist], item_id: str, by: str | None = None) -> None:
    """Ticks an item for everyone; what is ticked already stays as it is."""
    name = fit_optional_line("by", by, MAX_TICKER)

    async def step(gate: PageAccess[Checklist]) -> Sequence[Write]:
        page = _shared(gate.page, item_id)
        return [_as_read(page), create(_ticked(page, item_id, Tick(at=iso(gate.now), by=name)))]

    gate = await _move_ticks_out(gate)
    with suppress(ConditionFailed):  # it is ticked
        await carry_out(gate, step)


async def untick(gate: PageAccess[Checklist], item_id: str) -> None:
    """Takes an item's tick away, if it has one."""

    async def step(gate: PageAccess[Checklist]) -> Sequence[Write]:
        page = _shared(gate.page, item_id)
        ticked = ChecklistTick.at(short_id=page.short_id, checklist_item_id=item_id)
        return [_as_read(page), delete(ticked)]

    await carry_out(await _move_ticks_out(gate), step)


async def untick_all(gate: PageAccess[Checklist]) -> None:
    """Takes all ticks away, so that a list can be used again: some at a time, if there are many."""
    as_admin(gate)
    gate = await _move_ticks_out(gate)
    asked = checklist_ticks(short_id=gate.page.short_id)
    ticked = (await gate.store.page(asked, limit=MAX_PAGE)).items
    for start in range(0, max(1, len(ticked)), TOGETHER):

        async def step(gate: PageAccess[Checklist], start: int = start) -> Sequence[Write]:
            some = ticked[start : start + TOGETHER]
            return [_as_read(_with_shared_ticks(gate.page)), *map(delete, some)]

        gate = await carry_out(gate, step)


async def _move_ticks_out(gate: PageAccess[Checklist]) -> PageAccess[Checklist]:
    """Returns the page once no ticks stand in it: before the first change they become items.

    Pages from before have them there. As many as one write can hold are moved at a time, each on
    condition that nobody else has moved them.
    """

    async def step(gate: PageAccess[Checklist]) -> Sequence[Write]:
        page = gate.page
        if not page.ticks:
            return [_as_read(page)]
        some = dict(islice(page.ticks.items(), TOGETHER))
        as_read = equal(version=page.version, ticks=page.ticks)
        moved = update(page, ticks=discard(*some), if_=as_read)
        return [moved, *(put(_ticked(page, item_id, one)) for item_id, one in some.items())]

    while gate.page.ticks:
        gate = await carry_out(gate, step)
        left = dict(islice(gate.page.ticks.items(), TOGETHER, None))
        gate = replace(gate, page=replace(gate.page, ticks=left))
    return gate


def _ticked(page: Checklist, item_id: str, tick: Tick) -> ChecklistTick:
    return ChecklistTick(
        short_id=page.short_id,
        checklist_item_id=item_id,
        ticked_at=tick.at,
        ticked_by=tick.by,
        ttl=page.ttl,
    )


def _as_read(page: Checklist) -> Write:
    """That the page is there and as it was read: with its items, and open to the caller."""
    return check(page, if_=equal(version=page.version))


def _shared(page: Checklist, item_id: str) -> Checklist:
    _with_shared_ticks(page)
    if item_id not in {one.checklist_item_id for one in page.items}:
        raise NotFound("This item is no longer on the list.")
    return page


def _with_shared_ticks(page: Checklist) -> Checklist:
    if not page.ticks_shared:
        raise AnswersClosed("Ticks on this list stay on each device.")
    return page
