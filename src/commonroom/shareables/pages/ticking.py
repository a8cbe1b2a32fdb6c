"""Ticking items off: for everyone, or on this device."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from commonroom.accounts.text_fields import fit_optional_line
from commonroom.errors import InvalidField, NotFound
from commonroom.shareables.addresses import address_of
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.pages.checklists import keep_name, keep_ticks, name_here, ticked_here
from commonroom.shareables.pages.showing import show_again
from commonroom.shareables.rules.checklists import LONGEST_TICKER
from commonroom.shareables.service import checklists
from commonroom.shareables.service.gate import Opened, of_kind
from commonroom.shareables.tables import Checklist
from commonroom.web.access import Need, needs
from commonroom.web.forms import Form, Line, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Request


class TickForm(Form):
    """The item that was pressed: one of these says which, and what to do with it."""

    tick: Line = ""
    untick: Line = ""


class NameForm(Form):
    """With which name somebody ticks here; none for none."""

    name: Line = ""


@post(f"{ONE}/tick", opt=needs(Need.ANYONE), status_code=200)
async def tick(request: Request, short_id: FromPath[str], data: Sent[TickForm]) -> Response[Any]:
    """Ticks an item, or takes its tick away."""
    gate = await _list(request, short_id)
    answer = redirect(address_of(gate.page.short_id))
    if gate.page.ticks_shared:
        await _tick_for_all(request, gate, data)
    else:
        _tick_here(request, gate.page, data, answer)
    return answer


@post(f"{ONE}/ticks/clear", opt=needs(Need.ANYONE), status_code=200)
async def start_over(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Takes all ticks of this device away."""
    page = (await _list(request, short_id)).page
    answer = redirect(address_of(page.short_id), "shareable-started-over")
    keep_ticks(request, answer, page, ())
    return answer


@post(f"{ONE}/name", opt=needs(Need.ANYONE), status_code=200)
async def say_who(request: Request, short_id: FromPath[str], data: Sent[NameForm]) -> Response[Any]:
    """Remembers with which name somebody ticks here."""
    gate = await _list(request, short_id)
    try:
        name = fit_optional_line("name", data.name, LONGEST_TICKER)
    except InvalidField as error:
        return await show_again(request, gate, refused(data, error), error)
    page = gate.page
    answer = redirect(address_of(page.short_id), "shareable-named" if name else "shareable-unnamed")
    keep_name(request, answer, page.short_id, name)
    return answer


async def _list(request: Request, short_id: str) -> Opened[Checklist]:
    return of_kind(await entered(request, short_id), Checklist)


async def _tick_for_all(request: Request, gate: Opened[Checklist], sent: TickForm) -> None:
    store, now = request.store, time.time()
    if sent.untick:
        await checklists.untick(store, now, gate, sent.untick)
    else:
        await checklists.tick(store, now, gate, sent.tick, name_here(request))


def _tick_here(request: Request, page: Checklist, sent: TickForm, answer: Response[Any]) -> None:
    if (sent.tick or sent.untick) not in {one.checklist_item_id for one in page.items}:
        raise NotFound("This item is no longer on the list.")
    ticked = ticked_here(request, page) | {sent.tick}
    keep_ticks(request, answer, page, ticked - {sent.untick})


HANDLERS = [tick, start_over, say_who]
