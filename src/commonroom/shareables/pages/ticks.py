"""Ticking items off: for everyone, or on this device."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.errors import NotFound
from commonroom.shareables.addresses import ONE, address_of
from commonroom.shareables.pages.checklists import keep_name, keep_ticks, name_here, ticked_here
from commonroom.shareables.pages.view import view
from commonroom.shareables.request import ChecklistGate
from commonroom.shareables.rules.checklists import LONGEST_TICKER
from commonroom.shareables.service import checklists
from commonroom.shareables.service.gate import Opened
from commonroom.shareables.tables import Checklist
from commonroom.texts import fit_optional_line
from commonroom.web.access import Need
from commonroom.web.forms import Form, Line, form, handlers
from commonroom.web.redirects import redirect
from commonroom.web.request import Request


class TickForm(Form):
    """The item that was pressed: one of these says which, and what to do with it."""

    tick: Line = ""
    untick: Line = ""


class NameForm(Form):
    """With which name somebody ticks here; none for none."""

    name: Line = ""


@form(f"{ONE}/tick", Need.ANYONE, on=view)
async def tick(request: Request, gate: ChecklistGate, data: TickForm) -> Response[Any] | None:
    """Ticks an item, or takes its tick away."""
    if not gate.page.ticks_shared:
        return _tick_here(request, gate.page, data)
    if data.untick:
        await checklists.untick(gate, data.untick)
    else:
        await checklists.tick(gate, data.tick, name_here(request))
    return None


@form(f"{ONE}/ticks/clear", Need.ANYONE, on=view)
async def clear_ticks(request: Request, gate: ChecklistGate) -> Response[Any]:
    """Takes all ticks of this device away."""
    answer = _back(gate, "shareable-started-over")
    keep_ticks(request, answer, gate.page, ())
    return answer


@form(f"{ONE}/name", Need.ANYONE, on=view)
async def say_who(request: Request, gate: ChecklistGate, data: NameForm) -> Response[Any]:
    """Remembers with which name somebody ticks here."""
    name = fit_optional_line("name", data.name, LONGEST_TICKER)
    answer = _back(gate, "shareable-named" if name else "shareable-unnamed")
    keep_name(request, answer, gate.page.short_id, name)
    return answer


def _tick_here(request: Request, page: Checklist, sent: TickForm) -> Response[Any]:
    if (sent.tick or sent.untick) not in {one.checklist_item_id for one in page.items}:
        raise NotFound("This item is no longer on the list.")
    answer = redirect(address_of(page.short_id))
    ticked = ticked_here(request, page) | {sent.tick}
    keep_ticks(request, answer, page, ticked - {sent.untick})
    return answer


def _back(gate: Opened[Checklist], flash: str) -> Response[Any]:
    return redirect(address_of(gate.page.short_id), flash)


HANDLERS = handlers(tick, clear_ticks, say_who)
