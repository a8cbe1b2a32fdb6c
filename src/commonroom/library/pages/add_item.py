"""Adding a book or a film: by hand, or with what others know of it; once, however often sent."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, Any

import msgspec
from litestar import Response
from litestar.params import QueryParameter
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, NotFound
from commonroom.library.pages import addresses
from commonroom.library.pages.item_forms import ItemForm, entity_of, given_in, place_in_form
from commonroom.library.pages.lookup import LookUpForm, LookUpResult, form_context, look_up
from commonroom.library.pages.page import render_page
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import item_in, own_library
from commonroom.library.service.item_writes import same_works
from commonroom.library.service.items import Origin, SavedItem, create_item
from commonroom.library.tables import Library
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import Filled, form, handlers, page
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

KindAsked = Annotated[str, QueryParameter(max_length=10)]
CollectionAsked = Annotated[str, QueryParameter(max_length=200)]


@page(addresses.ADD, Need.THEMSELVES)
async def add_form(
    request: Request,
    library_id: str,
    kind: KindAsked = "book",
    collection: CollectionAsked = "",
    form: Filled | None = None,
) -> Response[Any]:
    """An empty form: two requests."""
    library = (await own_library(request.context, library_id)).library
    known = {"kind": "film" if kind == "film" else "book", "form_id": new_id()}
    empty = Filled({**known, "collection": collection})
    return await _render(request, library, form or empty)


@form(addresses.ADD, Need.THEMSELVES, on=add_form)
async def add(request: Request, ctx: Ctx, library_id: str, data: LookUpForm) -> Response[Any]:
    """Puts it on the shelf, once; looks it up where the return key was meant for that."""
    library = (await own_library(ctx, library_id)).library
    if data.asks:
        found = await look_up(request, data)
        return await _render(request, library, found.form, found)
    typed = data.item
    given = given_in(typed)
    given |= await place_in_form(ctx, library_id, form=typed)
    saved = await add_once(ctx, library, form=typed, given=given)
    flash = "item-added-twice" if saved.same else "item-added"
    return redirect(addresses.item(library_id, saved.item.item_id), flash)


@form(f"{addresses.ADD}/look-up", Need.THEMSELVES, on=add_form)
async def look_up_new(
    request: Request, ctx: Ctx, library_id: str, data: LookUpForm, kind: KindAsked = "book"
) -> Response[Any]:
    """The form with what others know of a book or a film."""
    library = (await own_library(ctx, library_id)).library
    found = await look_up(request, replace(data, kind="film" if kind == "film" else "book"))
    return await _render(request, library, found.form, found)


async def add_once(
    ctx: Context, library: Library, *, form: ItemForm, given: dict[str, Any]
) -> SavedItem:
    """Adds what a form says; pressed twice, it gives what the first press has put there."""
    origin = Origin(_item_id(library, form))
    try:
        item = await item_in(ctx.store, library, origin.item_id)
    except NotFound:
        kind = entity_of(form.kind)
        try:
            item = await create_item(ctx, library.library_id, kind=kind, given=given, origin=origin)
        except Conflict as error:
            try:
                item = await item_in(ctx.store, library, origin.item_id)
            except NotFound:
                raise error from None
    return SavedItem(item, await same_works(ctx.store, item))


def _item_id(library: Library, form: ItemForm) -> str:
    """The id of what a form makes: another one where one goes back and types something else."""
    if not form.form_id:
        return new_id()
    whole = msgspec.json.encode([library.owner_id, library.library_id, form])
    return blake2b(whole, digest_size=16).hexdigest().upper()


async def _render(
    request: Request, library: Library, form: Filled, found: LookUpResult | None = None
) -> Response[Any]:
    here = addresses.add(library.library_id)
    context = await form_context(request, library, form, action=here, found=found)
    return render_page(request, "library/add.html", **context)


HANDLERS = handlers(add_form, add, look_up_new)
