"""Pages: opening, creating, editing, extending and deleting them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from commonroom.http.access import Need
from commonroom.http.etags import IfMatch, IfNoneMatch, changed, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.moments import Moment
from commonroom.shareables.api.bodies import (
    ONE,
    ChecklistEdit,
    Clone,
    EventEdit,
    Extension,
    NewChecklist,
    NewEvent,
    NewPollPage,
    PollEdit,
)
from commonroom.shareables.api.views import HeldPass, SharedPage, page_view
from commonroom.shareables.request import (
    HeldCode,
    PageAdmin,
    PageGate,
    maybe_code,
    open_to,
    visitor_of,
)
from commonroom.shareables.rules.short_ids import recovery_address
from commonroom.shareables.service import edit
from commonroom.shareables.service.create import (
    Created,
    Passcodes,
    clone_page,
    content_for_clone,
    create_page,
)
from commonroom.shareables.service.edit import save
from commonroom.shareables.service.gate import Page, PageAccess, open_page

AS_BEFORE = Clone()
REFUSED = (409, 410, 412, 429, 507)


api = Operations("Shareables: creating pages", errors=(429, 507))
pages_api = api.tagged("Shareables: pages")
editing_api = api.tagged("Shareables: editing")
expiry_api = api.tagged("Shareables: expiry")


class MadePage(Struct, frozen=True):
    """A new page, and what its creator keeps."""

    page: SharedPage
    pass_: HeldPass = field(name="pass")
    recovery_path: Annotated[
        str,
        Meta(description="Shown once: path of the creator’s private edit link."),
    ]


class Extended(Struct, frozen=True):
    """Until when a page lives."""

    expires_at: Moment


@pages_api.get(ONE, Need.ANYONE, errors=(304, 410, 429))
async def get_shareable(
    gate: PageGate, code: HeldCode, if_none_match: IfNoneMatch
) -> JsonResponse[SharedPage]:
    """Get a page, however its id is typed.

    403 says that it needs a passcode, and nothing else of it. A poll comes with its results where
    one may know them; where that takes a vote, show its code, or have voted with the account.
    """
    return tagged(await page_view(gate, maybe_code(gate, code)), unless=if_none_match)


async def view_after_change(request: Request) -> JsonResponse[SharedPage]:
    """The page as an admin has just changed it."""
    return tagged(await page_view(await open_to(request, visitor_of(request), want="admin")))


@api.post("/shareables/checklists", Need.ANYONE, repeatable=True)
async def create_checklist(request: Request, new: NewChecklist) -> MadePage:
    """Create a checklist; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _create(request, new)


@api.post("/shareables/events", Need.ANYONE, repeatable=True)
async def create_event(request: Request, new: NewEvent) -> MadePage:
    """Create an event; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _create(request, new)


@api.post("/shareables/polls", Need.ANYONE, repeatable=True)
async def create_poll(request: Request, new: NewPollPage) -> MadePage:
    """Create a poll; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _create(request, new)


@api.post(f"{ONE}/clone", Need.ANYONE, errors=(410, 429, 507), repeatable=True)
async def clone_shareable(request: Request, gate: PageAdmin, new: Clone = AS_BEFORE) -> MadePage:
    """Create a page like this one, without what people left on it.

    An admin may, also of a page whose time is over. Its passcodes come along. What is over needs
    new dates: a start for an event, a close (or null) for a poll.
    """
    content = content_for_clone(gate.now, gate.page, asdict(new))
    created = await clone_page(gate, content, confirm_past=new.confirm_past)
    return await _made(request, created)


async def _create(request: Request, new: NewChecklist | NewEvent | NewPollPage) -> MadePage:
    created = await create_page(
        visitor_of(request),
        new,
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


@editing_api.put(f"{ONE}/checklist", Need.ANYONE, errors=REFUSED)
async def edit_checklist(
    request: Request, gate: PageAdmin, if_match: IfMatch, edited: ChecklistEdit
) -> JsonResponse[SharedPage]:
    """Save a checklist that an admin has edited.

    Items keep their ids. Where another person has saved meanwhile, 409 names what they changed in
    `changed`.
    """
    return await _save(request, gate, edited, if_match)


@editing_api.put(f"{ONE}/event", Need.ANYONE, errors=REFUSED)
async def edit_event(
    request: Request, gate: PageAdmin, if_match: IfMatch, edited: EventEdit
) -> JsonResponse[SharedPage]:
    """Save an event that an admin has edited.

    Where another person has saved meanwhile, 409 names what they changed in `changed`.
    """
    return await _save(request, gate, edited, if_match)


@editing_api.put(f"{ONE}/poll", Need.ANYONE, errors=REFUSED)
async def edit_poll(
    request: Request, gate: PageAdmin, if_match: IfMatch, edited: PollEdit
) -> JsonResponse[SharedPage]:
    """Save a poll that an admin has edited.

    Questions and options keep their ids; removing what people chose is 409 unless it is confirmed.
    Where another person has saved meanwhile, 409 names what they changed in `changed`.
    """
    return await _save(request, gate, edited, if_match)


async def _save(
    request: Request,
    gate: PageAccess[Page],
    edited: ChecklistEdit | EventEdit | PollEdit,
    if_match: str | None,
) -> JsonResponse[SharedPage]:
    if if_match is not None:
        check_match(if_match, await page_view(gate))
    await save(
        gate,
        edited.version,
        edited,
        confirm=getattr(edited, "confirm", False),
        confirm_past=getattr(edited, "confirm_past", False),
    )
    return await view_after_change(request)


@expiry_api.post(f"{ONE}/extend", Need.ANYONE, errors=(410, 429), status=200)
async def extend_shareable(gate: PageAdmin, extension: Extension) -> Extended:
    """Let a page live longer; an admin may, before its time is over."""
    return Extended(await edit.extend(gate, extension.days))


@expiry_api.delete(ONE, Need.ANYONE, errors=(410, 412, 429))
async def delete_shareable(gate: PageAdmin, if_match: IfMatch) -> None:
    """Delete a page at once, with everything on it; an admin may."""
    if if_match is not None:
        check_match(if_match, await page_view(gate))
    version = gate.page.version

    def check_seen(page: Page) -> None:
        if if_match is not None and page.version != version:
            raise changed()

    await edit.delete_page(gate, check_seen=check_seen)
