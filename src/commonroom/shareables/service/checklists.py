"""Ticking items off a list that everyone shares."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.moments import iso
from commonroom.shareables.errors import AnswersClosed, NotHere
from commonroom.shareables.rules.checklists import LONGEST_TICKER
from commonroom.shareables.rules.texts import optional_line
from commonroom.shareables.service.gate import Opened, as_admin, carry_out
from commonroom.shareables.tables import Checklist, Tick
from commonroom.store import Store, Write, discard, equal, merge, update


async def tick(
    store: Store, now: float, gate: Opened[Checklist], item_id: str, by: str | None = None
) -> None:
    """Ticks an item for everyone; whatever else is ticked at the same moment stays."""
    done = Tick(at=iso(now), by=optional_line("by", by, LONGEST_TICKER))

    async def step(gate: Opened[Checklist]) -> Sequence[Write]:
        page = _shared(gate.page, item_id)
        same = equal(version=page.version)
        return [update(page, ticks=merge({item_id: done}), if_=same)]

    await carry_out(store, now, gate, step)


async def untick(store: Store, now: float, gate: Opened[Checklist], item_id: str) -> None:
    """Takes an item's tick away, if it has one."""

    async def step(gate: Opened[Checklist]) -> Sequence[Write]:
        page = _shared(gate.page, item_id)
        return [update(page, ticks=discard(item_id), if_=equal(version=page.version))]

    await carry_out(store, now, gate, step)


async def untick_all(store: Store, now: float, gate: Opened[Checklist]) -> None:
    """Takes all ticks away, so that a list can be used again."""
    as_admin(gate)

    async def step(gate: Opened[Checklist]) -> Sequence[Write]:
        page = _with_shared_ticks(gate.page)
        return [update(page, ticks={}, if_=equal(version=page.version))]

    await carry_out(store, now, gate, step)


def _shared(page: Checklist, item_id: str) -> Checklist:
    _with_shared_ticks(page)
    if item_id not in {one.checklist_item_id for one in page.items}:
        raise NotHere("This item is no longer on the list.")
    return page


def _with_shared_ticks(page: Checklist) -> Checklist:
    if not page.ticks_shared:
        raise AnswersClosed("Ticks on this list stay on each device.")
    return page
