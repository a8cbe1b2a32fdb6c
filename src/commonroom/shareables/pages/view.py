"""A page as somebody sees it: whatever it is, it has one address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Generic

from litestar import Response
from litestar.params import QueryParameter
from msgspec import Struct

from commonroom.moments import iso
from commonroom.shareables import words
from commonroom.shareables.pages.checklists import checklist_view
from commonroom.shareables.pages.cookies import code_was_shown, fresh_code
from commonroom.shareables.pages.events import event_view
from commonroom.shareables.pages.live import fingerprint
from commonroom.shareables.pages.polls import poll_view
from commonroom.shareables.request import ONE, PageGate, account_of
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.gate import Opened, P, Page, of_kind
from commonroom.shareables.service.listing import KeptAs, kept_as
from commonroom.shareables.tables import Checklist, Event, Poll, Tick
from commonroom.web.access import Need
from commonroom.web.forms import EMPTY, Filled, handlers, page
from commonroom.web.render import render
from commonroom.web.request import Cursor, Request
from commonroom.web.sharing import Shared, shared

LAST_DAY = 24 * 3600.0

Anew = Annotated[str, QueryParameter(max_length=10)]
"""That somebody else at this device wants to answer too."""


class Visit(Struct, Generic[P], frozen=True, kw_only=True):
    """A page, opened to somebody: what stands around what is on it."""

    gate: Opened[P]
    shared: Shared
    may_keep: bool
    """Whether they have a list to keep it in."""
    kept: KeptAs | None
    is_ending: bool
    """Whether it is its last day, so that the hour matters."""
    fingerprint: str
    """Changes when what they see does."""

    @property
    def page(self) -> P:
        """The page itself."""
        return self.gate.page

    @property
    def address(self) -> str:
        """Its address."""
        return address_of(self.page.short_id)

    @property
    def short_id(self) -> str:
        """Its id, to be said and typed."""
        return format_short_id(self.page.short_id)

    @property
    def is_protected(self) -> bool:
        """Whether one needs a passcode to see it."""
        return self.page.view_passcode is not None


class PageView(Struct, frozen=True):
    """What a page shows: by which template, and with what."""

    template: str
    context: dict[str, Any]
    answered: dict[str, Any]
    """What was answered on this device, as the form of the page takes it."""


@page(ONE, Need.ANYONE)
async def view(
    request: Request,
    gate: PageGate,
    cursor: Cursor = None,
    anew: Anew = "",
    form: Filled | None = None,
) -> Response[Any]:
    """A page, for whoever may see it; `anew` for somebody else at the same device."""
    seen = await _view(request, gate, cursor)
    code = fresh_code(request) if form is None else None
    is_anew = bool(anew if form is None else form.value("anew"))
    if form is None:
        form = EMPTY if is_anew else Filled(seen.answered)
    answer = render(request, seen.template, **seen.context, form=form, code=code, anew=is_anew)
    if code is not None:
        code_was_shown(request, answer, gate.page.short_id)
    return answer


async def _view(request: Request, gate: Opened[Page], cursor: str | None) -> PageView:
    match gate.page:
        case Checklist() as found:
            ticks = await ticks_of(gate.store, found)
            checklist = checklist_view(request, found, ticks)
            visit = await _visit(request, gate, ticks=ticks)
            return _page_view("checklist", {}, visit=visit, checklist=checklist)
        case Event():
            event = await event_view(request, of_kind(gate, Event), cursor)
            return _page_view(
                "event", event.answered, visit=await _visit(request, gate), event=event
            )
        case Poll():
            poll = await poll_view(request, of_kind(gate, Poll))
            visit = await _visit(request, gate, has_voted=poll.mine is not None)
            return _page_view("poll", poll.answered, visit=visit, poll=poll)


def _page_view(kind: str, answered: dict[str, Any], **context: Any) -> PageView:
    return PageView(f"shareables/page_{kind}.html", {**context, "room": words}, answered)


async def _visit(
    request: Request,
    gate: Opened[P],
    *,
    has_voted: bool = False,
    ticks: Mapping[str, Tick] | None = None,
) -> Visit[P]:
    """A visit: no request for a guest, and one for somebody with a list."""
    account, page, now = account_of(request), gate.page, gate.now
    return Visit(
        gate=gate,
        shared=shared(request, address_of(page.short_id), page.name),
        may_keep=account is not None,
        kept=None if account is None else await kept_as(gate, account),
        is_ending=page.expires_at <= iso(now + LAST_DAY) and not gate.is_closed,
        fingerprint=fingerprint(
            now, page, is_admin=gate.is_admin, has_voted=has_voted, ticks=ticks
        ),
    )


HANDLERS = handlers(view)
