"""Changing an item, moving it to another library, and taking it off the shelf."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import structs
from msgspec.structs import replace

from commonroom.errors import CommonroomError, NotFound, PreconditionFailed, Refusal
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import card_of
from commonroom.library.pages.item_forms import (
    PLACE,
    ItemForm,
    as_stored,
    given_in,
    kind_of,
    place_in_form,
    stored_values,
)
from commonroom.library.pages.items import show_refusal
from commonroom.library.pages.lookup import LookUpForm, form_context, look_up
from commonroom.library.pages.merge import (
    NO_BASE,
    TRIES,
    MergedForm,
    base_of,
    changed_meanwhile,
    merge_form,
    stale_form,
)
from commonroom.library.pages.page import owned_in, render_page, render_refused_page
from commonroom.library.service.access import item_in
from commonroom.library.service.items import change_item, delete_item
from commonroom.library.service.libraries import my_libraries
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book, Library, Video
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Line, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

TEMPLATE = "library/edit.html"
EDIT = f"{addresses.ITEM}/edit"
LOOK_UP = f"{EDIT}/look-up"


class MoveForm(Form):
    """Where an item moves."""

    to: Line


class DeleteForm(Form):
    """That it goes, whoever has it."""

    force: bool = False


@get(EDIT, opt=needs(Need.THEMSELVES))
async def edit_form(
    request: Request, library_id: FromPath[str], item_id: FromPath[str]
) -> Response[Any]:
    """An item's form, and where it could move: four requests."""
    library, item = await _mine(request, library_id, item_id)
    return render_page(request, TEMPLATE, **await _context(request, library, item, as_stored(item)))


@post(EDIT, opt=needs(Need.THEMSELVES), status_code=200)
async def save(
    request: Request,
    library_id: FromPath[str],
    item_id: FromPath[str],
    data: Sent[LookUpForm],
) -> Response[Any]:
    """Keeps what was changed; looks it up where the return key was meant for that.

    What somebody else has saved meanwhile is kept, too; where it is the same field, both are shown.
    """
    store, person, now = request.store, request.person, time.time()
    for _ in range(TRIES):
        library, item = await _mine(request, library_id, item_id)
        if data.asks:
            return await _sought(request, library, item, data)
        form = replace(data.item, kind=kind_of(item))
        change = _merged(form, item)
        if change.is_stale:
            return await _stale(request, library, item, change)
        try:
            given = given_in(form, change.mine)
            if change.mine.intersection(PLACE):
                at = (store, now, person, library_id)
                given |= await place_in_form(*at, form=form, item=item)
            kept = await change_item(
                store, now, person, library_id, item_id, given=given, version=item.version
            )
        except NotFound:
            raise
        except PreconditionFailed:
            continue
        except Refusal as error:
            context = await _context(request, library, item, refused(form, error))
            return render_refused_page(request, TEMPLATE, error, **context)
        said = "item-added-twice" if kept.same else "item-saved"
        return redirect(addresses.item(library_id, item_id), said)
    raise changed_meanwhile()


@post(LOOK_UP, opt=needs(Need.THEMSELVES), status_code=200)
async def look_up(
    request: Request,
    library_id: FromPath[str],
    item_id: FromPath[str],
    data: Sent[LookUpForm],
) -> Response[Any]:
    """The form, with what others know where nothing stands yet."""
    return await _sought(request, *await _mine(request, library_id, item_id), data)


@post(f"{addresses.ITEM}/move", opt=needs(Need.THEMSELVES), status_code=200)
async def move(
    request: Request,
    library_id: FromPath[str],
    item_id: FromPath[str],
    data: Sent[MoveForm],
) -> Response[Any]:
    """Moves an item to another library."""
    store, person = request.store, request.person
    try:
        await move_item(store, time.time(), person, library_id, item_id, to=data.to)
    except NotFound:
        raise
    except Refusal as error:
        return await _refused(request, library_id, item_id, error)
    return redirect(addresses.item(data.to, item_id), "item-moved")


@post(f"{addresses.ITEM}/delete", opt=needs(Need.THEMSELVES), status_code=200)
async def delete(
    request: Request,
    library_id: FromPath[str],
    item_id: FromPath[str],
    data: Sent[DeleteForm],
) -> Response[Any]:
    """Takes an item off the shelf; the page asks again where somebody has it."""
    store, person = request.store, request.person
    try:
        await delete_item(store, time.time(), person, library_id, item_id, force=data.force)
    except NotFound:
        raise
    except Refusal as error:
        return await show_refusal(request, library_id, item_id, error)
    return redirect(addresses.library(library_id), "item-deleted")


@get(
    [f"{addresses.ITEM}/delete", f"{addresses.ITEM}/move", LOOK_UP],
    opt=needs(Need.THEMSELVES),
    sync_to_thread=False,
)
def back_to_item(library_id: FromPath[str], item_id: FromPath[str]) -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(addresses.item(library_id, item_id))


async def _sought(
    request: Request, library: Library, item: Book | Video, data: LookUpForm
) -> Response[Any]:
    sought = await look_up(request, replace(data, kind=kind_of(item)))
    context = await _context(request, library, item, sought.form) | {"sought": sought}
    if sought.refusal is not None:
        return render_refused_page(request, TEMPLATE, sought.refusal, **context)
    return render_page(request, TEMPLATE, **context)


def _merged(form: ItemForm, item: Book | Video) -> MergedForm:
    """What a form changes of an item; without fingerprints, its version says what was seen."""
    stored = stored_values(item)
    seen = form.base or (base_of(stored) if form.version in ("", str(item.version)) else NO_BASE)
    return merge_form(structs.asdict(form), seen, stored, [PLACE])


async def _stale(
    request: Request, library: Library, item: Book | Video, change: MergedForm
) -> Response[Any]:
    kept = {"kind": kind_of(item), "version": str(item.version)}
    form = stale_form(replace(change, values={**change.values, **kept}))
    context = await _context(request, library, item, form) | {"theirs": change.theirs}
    return render_refused_page(request, TEMPLATE, changed_meanwhile(), **context)


async def _mine(request: Request, library_id: str, item_id: str) -> tuple[Library, Book | Video]:
    library = (await owned_in(request, library_id)).library
    return library, await item_in(request.store, library, item_id)


async def _refused(
    request: Request, library_id: str, item_id: str, error: CommonroomError
) -> Response[Any]:
    library, item = await _mine(request, library_id, item_id)
    context = await _context(request, library, item, as_stored(item))
    context["move_form"] = refused(MoveForm(to=""), error)
    return render_refused_page(request, TEMPLATE, error, **context)


async def _context(
    request: Request, library: Library, item: Book | Video, form: Filled
) -> dict[str, Any]:
    here = f"{addresses.item(library.library_id, item.item_id)}/edit"
    entry = await form_context(request, library, form, action=here)
    mine = await my_libraries(request.store, request.person)
    others = [one for one in mine.items if one.library_id != library.library_id]
    return {
        **entry,
        "item": item,
        "card": card_of(item, request),
        "others": [(one.library_id, one.library_name) for one in others],
        "move_form": Filled(),
    }


HANDLERS = [edit_form, save, look_up, move, delete, back_to_item]
