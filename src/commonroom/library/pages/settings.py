"""A library's settings: its name, whom it is shared with, and its end."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import structs

from commonroom.errors import CommonroomError, NotFound, PreconditionFailed, Refusal
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
from commonroom.library.pages.page import owned_in, render_page, render_refused_page
from commonroom.library.rules import names
from commonroom.library.service import libraries, sharing
from commonroom.library.tables import Library
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled, Form, Line, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

TEMPLATE = "library/settings.html"


class ShareForm(Form):
    """Whom a library is shared with."""

    email: Line


class UnshareForm(Form):
    """Whom it is no longer shared with."""

    recipient_id: Line


class DeleteForm(Form):
    """That a library goes, though it is shared or something is lent from it."""

    force: bool = False


@get(addresses.SETTINGS, opt=needs(Need.THEMSELVES))
async def settings_form(request: Request, library_id: FromPath[str]) -> Response[Any]:
    """Everything that its owner can change: one request."""
    return render_page(request, TEMPLATE, **await _context(request, library_id))


@post(addresses.SETTINGS, opt=needs(Need.THEMSELVES), status_code=200)
async def save_settings(
    request: Request, library_id: FromPath[str], data: Sent[LibraryForm]
) -> Response[Any]:
    """Keeps name and description; what somebody else has saved meanwhile is not lost."""
    store, person = request.store, request.person
    for _ in range(TRIES):
        context = await _context(request, library_id)
        library: Library = context["library"]
        form = merge_form(structs.asdict(data), data.base, _stored_values(library))
        if form.is_stale:
            context |= {"form": stale_form(form), "theirs": form.theirs}
            return render_refused_page(request, TEMPLATE, changed_meanwhile(), **context)
        given = {"name": data.library_name, "description": data.description}
        fields = {"name" if one == "library_name" else one for one in form.mine}
        try:
            await libraries.change_library(
                store,
                time.time(),
                person,
                library_id,
                **only(fields, given),
                version=library.version,
            )
        except NotFound:
            raise
        except PreconditionFailed:
            continue
        except Refusal as error:
            return await _again(request, library_id, error, form=refused(data, error))
        return redirect(addresses.settings(library_id), "library-saved")
    raise changed_meanwhile()


@post(f"{addresses.LIBRARY}/share", opt=needs(Need.THEMSELVES), status_code=200)
async def share(
    request: Request, library_id: FromPath[str], data: Sent[ShareForm]
) -> Response[Any]:
    """Lets somebody look into it."""
    store, person = request.store, request.person
    try:
        await sharing.share(
            store,
            time.time(),
            person,
            library_id,
            data.email,
            asked_from=request.client_address,
        )
    except NotFound:
        raise
    except Refusal as error:
        form = Filled({"email": data.email}, {"email": error.detail})
        return await _again(request, library_id, error, share_form=form)
    return redirect(f"{addresses.settings(library_id)}#sharing", "library-shared")


@post(f"{addresses.LIBRARY}/unshare", opt=needs(Need.THEMSELVES), status_code=200)
async def unshare(
    request: Request, library_id: FromPath[str], data: Sent[UnshareForm]
) -> Response[Any]:
    """Ends a share."""
    store, person = request.store, request.person
    await sharing.unshare(store, time.time(), person, library_id, data.recipient_id)
    return redirect(f"{addresses.settings(library_id)}#sharing", "library-unshared")


@post(f"{addresses.LIBRARY}/leave", opt=needs(Need.THEMSELVES), status_code=200)
async def leave(request: Request, library_id: FromPath[str]) -> Response[Any]:
    """Ends a share for whoever it was given to."""
    await sharing.leave(request.store, time.time(), request.person, library_id)
    return redirect(addresses.ROOM, "library-left")


@post(f"{addresses.LIBRARY}/delete", opt=needs(Need.THEMSELVES), status_code=200)
async def delete_library(
    request: Request, library_id: FromPath[str], data: Sent[DeleteForm]
) -> Response[Any]:
    """Deletes it with everything in it; the page says first what goes."""
    store, person = request.store, request.person
    try:
        await libraries.delete_library(store, person, library_id, force=data.force)
    except NotFound:
        raise
    except Refusal as error:
        form = Filled(wrong_altogether=error.detail)
        return await _again(request, library_id, error, delete_form=form)
    return redirect(addresses.ROOM, "library-deleted")


@get(
    [f"{addresses.LIBRARY}/{deed}" for deed in ("share", "unshare", "leave", "delete")],
    opt=needs(Need.THEMSELVES),
    sync_to_thread=False,
)
def back_to_library(library_id: FromPath[str]) -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(addresses.library(library_id))


async def _again(
    request: Request, library_id: str, error: CommonroomError, **forms: Filled
) -> Response[Any]:
    context = await _context(request, library_id)
    return render_refused_page(request, TEMPLATE, error, **context | forms)


async def _context(request: Request, library_id: str) -> dict[str, Any]:
    library = (await owned_in(request, library_id)).library
    return {
        "library": library,
        "recipients": list(zip(library.shared_to_ids, library.shared_to, strict=False)),
        "form": _as_stored(library),
        "theirs": {},
        "share_form": EMPTY,
        "delete_form": EMPTY,
        "longest": names.LONGEST_LIBRARY_NAME,
        "longest_description": names.LONGEST_LIBRARY_DESCRIPTION,
        "most": names.MOST_SHARES,
    }


def _as_stored(library: Library) -> Filled:
    values = _stored_values(library)
    return Filled({**values, "base": base_of(values)})


def _stored_values(library: Library) -> dict[str, str]:
    return {"library_name": library.library_name, "description": library.description or ""}


HANDLERS = [
    settings_form,
    save_settings,
    share,
    unshare,
    leave,
    delete_library,
    back_to_library,
]
