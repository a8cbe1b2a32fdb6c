"""Ticking items off a list that everyone shares."""

from __future__ import annotations

from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.shareables.api.bodies import ONE, Ticked
from commonroom.shareables.request import ChecklistAdmin, ChecklistGate
from commonroom.shareables.service import checklists

TICKS = f"{ONE}/ticks"
TICK = f"{TICKS}/{{item_id:str}}"
REFUSED = (409, 410, 429)


api = Operations("Shareables: checklists", errors=REFUSED)


@api.put(TICK, Need.ANYONE)
async def tick_item(gate: ChecklistGate, item_id: str, ticked: Ticked) -> None:
    """Tick an item for everyone; what others tick at the same moment stays."""
    await checklists.tick(gate, item_id, ticked.by)


@api.delete(TICK, Need.ANYONE)
async def untick_item(gate: ChecklistGate, item_id: str) -> None:
    """Take an item's tick away, if it has one."""
    await checklists.untick(gate, item_id)


@api.delete(TICKS, Need.ANYONE)
async def untick_all_items(gate: ChecklistAdmin) -> None:
    """Take all ticks away, so that the list can be used again; an admin may."""
    await checklists.untick_all(gate)
