"""A library's settings: its name, whom it is shared with, and its end."""

from __future__ import annotations

from typing import Any

from litestar import Response
from msgspec import structs

from commonroom.errors import PreconditionFailed
from commonroom.library.pages import addresses
from commonroom.library.pages.libraries import LibraryForm
from commonroom.library.pages.merge import (
    TRIES,
    base_of,
    changed_meanwhile,
    merge_form,
    only,
    stale_form,
)
from commonroom.library.pages.page import render_page
from commonroom.library.pages.shelves import shelf
from commonroom.library.rules import names
from commonroom.library.service import libraries
from commonroom.library.service.access import own_library
from commonroom.library.tables import Library
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import EMPTY, Filled, Form, Line, form, handlers, page
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

SHARES = f"{addresses.SETTINGS.replace(':str', '')}#sharing"


class ShareForm(Form):
    """Whom a library is shared with."""

    email: Line


class UnshareForm(Form):
    """Whom it is no longer shared with."""

    recipient_id: Line


class DeleteForm(Form):
    """That a library goes, though it is shared or something is lent from it."""

    force: bool = False


@page(addresses.SETTINGS, Need.THEMSELVES)
async def settings(
    request: Request,
    library_id: str,
    form: Filled | None = None,
    share_form: Filled = EMPTY,
    delete_form: Filled = EMPTY,
) -> Response[Any]:
    """Everything that its owner can change: one request."""
    library = (await own_library(request.context, library_id)).library
    return render_page(request, **_context(library, form, share_form, delete_form))


@form(addresses.SETTINGS, Need.THEMSELVES, on=settings)
async def save_settings(
    request: Request, ctx: Ctx, library_id: str, data: LibraryForm
) -> Response[Any]:
    """Keeps name and description; what somebody else has saved meanwhile is not lost."""
    for _ in range(TRIES):
        library = (await own_library(ctx, library_id)).library
        change = merge_form(structs.asdict(data), data.base, _stored_values(library))
        if change.is_stale:
            context = _context(library, stale_form(change)) | {"theirs": change.theirs}
            return render_page(request, error=changed_meanwhile(), **context)
        given = {"name": data.library_name, "description": data.description}
        fields = {"name" if one == "library_name" else one for one in change.mine}
        try:
            await libraries.change_library(
                ctx, library_id, **only(fields, given), version=library.version
            )
        except PreconditionFailed:
            continue
        return redirect(addresses.settings(library_id), "library-saved")
    raise changed_meanwhile()


@form(
    f"{addresses.LIBRARY}/share",
    Need.THEMSELVES,
    on=settings,
    slot="share_form",
    leads_to=SHARES,
    flash="library-shared",
)
async def share(request: Request, ctx: Ctx, library_id: str, data: ShareForm) -> None:
    """Lets somebody look into it."""
    await libraries.share(ctx, library_id, data.email, asked_from=request.client_address)


@form(
    f"{addresses.LIBRARY}/unshare",
    Need.THEMSELVES,
    on=settings,
    leads_to=SHARES,
    flash="library-unshared",
)
async def unshare(ctx: Ctx, library_id: str, data: UnshareForm) -> None:
    """Ends a share."""
    await libraries.unshare(ctx, library_id, data.recipient_id)


@form(
    f"{addresses.LIBRARY}/leave",
    Need.THEMSELVES,
    on=shelf,
    leads_to=addresses.ROOM,
    flash="library-left",
)
async def leave(ctx: Ctx, library_id: str) -> None:
    """Ends a share for whoever it was given to."""
    await libraries.leave(ctx, library_id)


@form(
    f"{addresses.LIBRARY}/delete",
    Need.THEMSELVES,
    on=settings,
    slot="delete_form",
    leads_to=addresses.ROOM,
    flash="library-deleted",
)
async def delete_library(ctx: Ctx, library_id: str, data: DeleteForm) -> None:
    """Deletes it with everything in it; the page says first what goes."""
    await libraries.delete_library(ctx, library_id, force=data.force)


def _context(
    library: Library, form: Filled | None, share_form: Filled = EMPTY, delete_form: Filled = EMPTY
) -> dict[str, Any]:
    # Whatever is wrong with a share is wrong with the address: there is no other field.
    if share_form.wrong_altogether:
        share_form = Filled(share_form.values, {"email": share_form.wrong_altogether})
    return {
        "template": "library/settings.html",
        "library": library,
        "recipients": list(zip(library.shared_to_ids, library.shared_to, strict=False)),
        "form": form or _as_stored(library),
        "theirs": {},
        "share_form": share_form,
        "delete_form": delete_form,
        "longest": names.LONGEST_LIBRARY_NAME,
        "longest_description": names.LONGEST_LIBRARY_DESCRIPTION,
        "most": names.MOST_SHARES,
    }


def _as_stored(library: Library) -> Filled:
    values = _stored_values(library)
    return Filled({**values, "base": base_of(values)})


def _stored_values(library: Library) -> dict[str, str]:
    return {"library_name": library.library_name, "description": library.description or ""}


HANDLERS = handlers(settings, save_settings, share, unshare, leave, delete_library)
