"""The page itself, as it is now; perhaps with a form that was refused."""

from __future__ import annotations

from typing import Any

from litestar import Response
from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.shareables import words
from commonroom.shareables.pages.checklists import list_seen
from commonroom.shareables.pages.cookies import code_was_shown, fresh_code
from commonroom.shareables.pages.events import event_seen
from commonroom.shareables.pages.polls import poll_seen
from commonroom.shareables.pages.visits import visit_of
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.gate import Opened, Page, of_kind
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request


class Seen(Struct, frozen=True):
    """What a page shows: by which template, and with what."""

    template: str
    context: dict[str, Any]
    answered: dict[str, Any]
    """What was answered on this device, as the form of the page takes it."""


async def show(
    request: Request, gate: Opened[Page], *, cursor: str | None = None, anew: bool = False
) -> Response[Any]:
    """The page as it is now; `anew` for somebody else at the same device."""
    seen, code = await _seen(request, gate, cursor), fresh_code(request)
    form = EMPTY if anew else Filled(seen.answered)
    answer = render(request, seen.template, **seen.context, form=form, code=code, anew=anew)
    if code is not None:
        code_was_shown(request, answer, gate.page.short_id)
    return answer


async def show_again(
    request: Request, gate: Opened[Any], form: Filled, error: CommonroomError
) -> Response[Any]:
    """The same page with a form that was refused: what was typed is still there."""
    seen, anew = await _seen(request, gate), bool(form.value("anew"))
    return render_refused(
        request, seen.template, error, **seen.context, form=form, code=None, anew=anew
    )


async def _seen(request: Request, gate: Opened[Page], cursor: str | None = None) -> Seen:
    match gate.page:
        case Checklist() as found:
            ticks = await ticks_of(request.store, found)
            visit = await visit_of(request, gate, ticks=ticks)
            return _with("checklist", {}, visit=visit, checklist=list_seen(request, found, ticks))
        case Event():
            event = await event_seen(request, of_kind(gate, Event), cursor)
            visit = await visit_of(request, gate)
            return _with("event", event.answered, visit=visit, event=event)
        case Poll():
            poll = await poll_seen(request, of_kind(gate, Poll))
            visit = await visit_of(request, gate, has_voted=poll.mine is not None)
            return _with("poll", poll.answered, visit=visit, poll=poll)


def _with(kind: str, answered: dict[str, Any], **context: Any) -> Seen:
    return Seen(f"shareables/page_{kind}.html", {**context, "room": words}, answered)
