"""Creating a page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from commonroom.shareables.addresses import recovery_address
from commonroom.shareables.api.bodies import ONE, Clone, NewChecklist, NewEvent, NewPoll, typed
from commonroom.shareables.api.view import page_view
from commonroom.shareables.api.views import HeldPass, SharedPage
from commonroom.shareables.request import PageAdmin, visitor_of
from commonroom.shareables.rules.checklists import TypedChecklist
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.polls import TypedPoll
from commonroom.shareables.service.create import (
    Created,
    Passcodes,
    clone_page,
    content_for_clone,
    create_page,
)
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import open_page
from commonroom.web.access import Need
from commonroom.web.operations import part, post
from commonroom.web.request import Request

AS_BEFORE = Clone()


class MadePage(Struct, frozen=True):
    """A new page, and what its creator keeps."""

    page: SharedPage
    pass_: HeldPass = field(name="pass")
    recovery_path: Annotated[
        str,
        Meta(description="Shown once: path of the creator’s private edit link."),
    ]


@post("/shareables/checklists", Need.ANYONE, errors=(429, 507), repeatable=True)
async def create_checklist(request: Request, new: NewChecklist) -> MadePage:
    """Create a checklist; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _create(request, new, typed(new, TypedChecklist))


@post("/shareables/events", Need.ANYONE, errors=(429, 507), repeatable=True)
async def create_event(request: Request, new: NewEvent) -> MadePage:
    """Create an event; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _create(request, new, typed(new, TypedEvent))


@post("/shareables/polls", Need.ANYONE, errors=(429, 507), repeatable=True)
async def create_poll(request: Request, new: NewPoll) -> MadePage:
    """Create a poll; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _create(request, new, typed(new, TypedPoll))


@post(f"{ONE}/clone", Need.ANYONE, errors=(410, 429, 507), repeatable=True)
async def clone_shareable(request: Request, gate: PageAdmin, new: Clone = AS_BEFORE) -> MadePage:
    """Create a page like this one, without what people left on it.

    An admin may, also of a page whose time is over. Its passcodes come along. What is over needs
    new dates: a start for an event, a close (or null) for a poll.
    """
    content = content_for_clone(gate.now, gate.page, asdict(new))
    created = await clone_page(gate, content, confirm_past=new.confirm_past)
    return await _made(request, created)


async def _create(
    request: Request, new: NewChecklist | NewEvent | NewPoll, content: Typed
) -> MadePage:
    created = await create_page(
        visitor_of(request),
        content,
        expires_after=new.expires_after,
        passcodes=Passcodes(new.view_passcode, new.admin_passcode),
        confirm_past=getattr(new, "confirm_past", False),
    )
    return await _made(request, created)


async def _made(request: Request, created: Created) -> MadePage:
    visitor = replace(visitor_of(request), tokens=(created.token,))
    short_id = created.page.short_id
    view = await page_view(await open_page(visitor, short_id, want="admin"))
    return MadePage(view, created.token, recovery_address(short_id, created.token))


OPERATIONS = part(
    "Shareables: creating pages", create_checklist, create_event, create_poll, clone_shareable
)
