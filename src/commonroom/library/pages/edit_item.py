"""Changing an item, and moving it to another library."""

from __future__ import annotations

from typing import Any

from litestar import Response
from msgspec import structs
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import PreconditionFailed
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
from commonroom.library.pages.lookup import LookUpForm, LookUpResult, form_context, look_up
from commonroom.library.pages.merge import (
    NO_BASE,
    TRIES,
    MergedForm,
    base_of,
    changed_meanwhile,
    merge_form,
    stale_form,
)
from commonroom.library.pages.page import render_page
from commonroom.library.service.access import item_in, own_library
from commonroom.library.service.items import change_item
from commonroom.library.service.libraries import my_libraries
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book, Library, Video
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import EMPTY, Filled, Form, Line, form, handlers, page
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

EDIT = f"{addresses.ITEM}/edit"


class MoveForm(Form):
    """Where an item moves."""

    to: Line


@page(EDIT, Need.THEMSELVES)
async def edit_form(
    request: Request,
    library_id: str,
    item_id: str,
    form: Filled | None = None,
    move_form: Filled = EMPTY,
) -> Response[Any]:
    """An item's form, and where it could move: four requests."""
    library, item = await _own_item(request.context, library_id, item_id)
    shown = as_stored(item)
    if form is not None:
        shown = replace(form, values={**form.values, "kind": kind_of(item)})
    return await _render(request, library, item, shown, move_form=move_form)


@form(EDIT, Need.THEMSELVES, on=edit_form)
async def save(
    request: Request, ctx: Ctx, library_id: str, item_id: str, data: LookUpForm
) -> Response[Any]:
    """Keeps what was changed; looks it up where the return key was meant for that.

    What somebody else has saved meanwhile is kept, too; where it is the same field, both are shown.
    """
    if data.asks:
        return await _look_up(request, ctx, library_id, item_id, data)
    for _ in range(TRIES):
        library, item = await _own_item(ctx, library_id, item_id)
        typed = replace(data.item, kind=kind_of(item))
        change = _merge(typed, item)
        if change.is_stale:
            return await _render_stale(request, library, item, change)
        given = given_in(typed, change.mine)
        if change.mine.intersection(PLACE):
            given |= await place_in_form(ctx, library_id, form=typed, item=item)
        try:
            saved = await change_item(ctx, library_id, item_id, given=given, version=item.version)
        except PreconditionFailed:
            continue
        flash = "item-added-twice" if saved.same else "item-saved"
        return redirect(addresses.item(library_id, item_id), flash)
    raise changed_meanwhile()


@form(f"{EDIT}/look-up", Need.THEMSELVES, on=edit_form)
async def look_up_again(
    request: Request, ctx: Ctx, library_id: str, item_id: str, data: LookUpForm
) -> Response[Any]:
    """The form, with what others know where nothing stands yet."""
    return await _look_up(request, ctx, library_id, item_id, data)


@form(f"{addresses.ITEM}/move", Need.THEMSELVES, on=edit_form, slot="move_form", flash="item-moved")
async def move(ctx: Ctx, library_id: str, item_id: str, data: MoveForm) -> str:
    """Moves an item to another library."""
    await move_item(ctx, library_id, item_id, to=data.to)
    return addresses.item(data.to, item_id)


async def _look_up(
    request: Request, ctx: Context, library_id: str, item_id: str, data: LookUpForm
) -> Response[Any]:
    library, item = await _own_item(ctx, library_id, item_id)
    found = await look_up(request, replace(data, kind=kind_of(item)))
    return await _render(request, library, item, found.form, found=found)


def _merge(form: ItemForm, item: Book | Video) -> MergedForm:
    """What a form changes of an item; without fingerprints, its version says what was seen."""
    stored = stored_values(item)
    seen = form.base or (base_of(stored) if form.version in ("", str(item.version)) else NO_BASE)
    return merge_form(structs.asdict(form), seen, stored, [PLACE])


async def _render_stale(
    request: Request, library: Library, item: Book | Video, change: MergedForm
) -> Response[Any]:
    kept = {"kind": kind_of(item), "version": str(item.version)}
    form = stale_form(replace(change, values={**change.values, **kept}))
    theirs, error = change.theirs, changed_meanwhile()
    return await _render(request, library, item, form, theirs=theirs, error=error)


async def _own_item(ctx: Context, library_id: str, item_id: str) -> tuple[Library, Book | Video]:
    library = (await own_library(ctx, library_id)).library
    return library, await item_in(ctx.store, library, item_id)


async def _render(
    request: Request,
    library: Library,
    item: Book | Video,
    form: Filled,
    *,
    move_form: Filled = EMPTY,
    found: LookUpResult | None = None,
    **more: Any,
) -> Response[Any]:
    here = f"{addresses.item(library.library_id, item.item_id)}/edit"
    context = await form_context(request, library, form, action=here, found=found)
    mine = await my_libraries(request.context)
    others = [one for one in mine.items if one.library_id != library.library_id]
    context |= {
        "item": item,
        "card": card_of(item, request),
        "others": [(one.library_id, one.library_name) for one in others],
        "move_form": move_form,
        **more,
    }
    return render_page(request, "library/edit.html", **context)


HANDLERS = handlers(edit_form, save, look_up_again, move)
