"""Ticking items off a list that everyone shares."""

from __future__ import annotations

from commonroom.http.access import Need
from commonroom.http.operations import delete, put, tag
from commonroom.shareables.api.bodies import ONE, Ticked
from commonroom.shareables.request import ChecklistAdmin, ChecklistGate
from commonroom.shareables.service import checklists

TICKS = f"{ONE}/ticks"
TICK = f"{TICKS}/{{item_id:str}}"
REFUSED = (409, 410, 429)


@put(TICK, Need.ANYONE, errors=REFUSED)
async def tick_item(gate: ChecklistGate, item_id: str, ticked: Ticked) -> None:
    """Tick an item for everyone; what others tick at the same moment stays."""
    await checklists.tick(gate, item_id, ticked.by)


@delete(TICK, Need.ANYONE, errors=REFUSED)
async def untick_item(gate: ChecklistGate, item_id: str) -> None:
    """Take an item's tick away, if it has one."""
    await checklists.untick(gate, item_id)


@delete(TICKS, Need.ANYONE, errors=REFUSED)
async def untick_all_items(gate: ChecklistAdmin) -> None:
    """Take all ticks away, so that the list can be used again; an admin may."""
    await checklists.untick_all(gate)


OPERATIONS = tag("Shareables: checklists", tick_item, untick_item, untick_all_items)
