"""Ticking items off a list that everyone shares."""

from __future__ import annotations

import time

from commonroom.shareables.api.asking import ONE, HeldPass, entered
from commonroom.shareables.api.bodies import Ticked
from commonroom.shareables.service import checklists
from commonroom.shareables.service.gate import of_kind
from commonroom.shareables.tables import Checklist
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, part, put
from commonroom.web.request import Request

TICKS = f"{ONE}/ticks"
TICK = f"{TICKS}/{{item_id:str}}"


@put(TICK, Need.ANYONE, errors=(409, 410, 429))
async def tick_item(
    request: Request, short_id: str, item_id: str, held: HeldPass, ticked: Ticked
) -> JsonResponse[None]:
    """Tick an item for everyone; what others tick at the same moment stays."""
    gate = of_kind(await entered(request, short_id, held), Checklist)
    await checklists.tick(request.store, time.time(), gate, item_id, ticked.by)
    return JsonResponse(None)


@delete(TICK, Need.ANYONE, errors=(409, 410, 429))
async def untick_item(
    request: Request, short_id: str, item_id: str, held: HeldPass
) -> JsonResponse[None]:
    """Take an item's tick away, if it has one."""
    gate = of_kind(await entered(request, short_id, held), Checklist)
    await checklists.untick(request.store, time.time(), gate, item_id)
    return JsonResponse(None)


@delete(TICKS, Need.ANYONE, errors=(409, 410, 429))
async def untick_all_items(request: Request, short_id: str, held: HeldPass) -> JsonResponse[None]:
    """Take all ticks away, so that the list can be used again; an admin may."""
    gate = of_kind(await entered(request, short_id, held, want="admin"), Checklist)
    await checklists.untick_all(request.store, time.time(), gate)
    return JsonResponse(None)


OPERATIONS = part("Shareables: checklists", tick_item, untick_item, untick_all_items)
