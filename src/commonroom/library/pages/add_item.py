"""Adding a book or a film: by hand, or with what others know of it."""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound, Refusal
from commonroom.library.pages import addresses
from commonroom.library.pages.item_forms import ItemForm, entity_of, given_in, place_in_form
from commonroom.library.pages.lookup import LookUpForm, form_context, look_up
from commonroom.library.pages.page import owned_in, render_page, render_refused_page
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import item_in
from commonroom.library.service.item_writes import same_works
from commonroom.library.service.items import Origin, SavedItem, create_item
from commonroom.library.tables import Library
from commonroom.store import Store
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

TEMPLATE = "library/add.html"
LOOK_UP = f"{addresses.ADD}/look-up"

KindAsked = Annotated[str, QueryParameter(max_length=10)]
CollectionAsked = Annotated[str, QueryParameter(max_length=200)]


@get(addresses.ADD, opt=needs(Need.THEMSELVES))
async def add_form(
    request: Request,
    library_id: FromPath[str],
    kind: KindAsked = "book",
    collection: CollectionAsked = "",
) -> Response[Any]:
    """An empty form: two requests."""
    library = (await owned_in(request, library_id)).library
    known = {"kind": "film" if kind == "film" else "book", "form_id": new_id()}
    form = Filled({**known, "collection": collection})
    return render_page(request, TEMPLATE, **await _context(request, library, form))


@post(addresses.ADD, opt=needs(Need.THEMSELVES), status_code=200)
async def add(request: Request, library_id: FromPath[str], data: Sent[LookUpForm]) -> Response[Any]:
    """Puts it on the shelf, once; looks it up where the return key was meant for that."""
    library = (await owned_in(request, library_id)).library
    if data.asks:
        return await _sought(request, library, data)
    store, person, now, form = request.store, request.person, time.time(), data.item
    try:
        given = given_in(form)
        given |= await place_in_form(store, now, person, library_id, form=form)
        kept = await add_once(store, now, person, library, form=form, given=given)
    except NotFound:
        raise
    except Refusal as error:
        context = await _context(request, library, refused(form, error))
        return render_refused_page(request, TEMPLATE, error, **context)
    said = "item-added-twice" if kept.same else "item-added"
    return redirect(addresses.item(library_id, kept.item.item_id), said)


@post(LOOK_UP, opt=needs(Need.THEMSELVES), status_code=200)
async def look_up(
    request: Request,
    library_id: FromPath[str],
    data: Sent[LookUpForm],
    kind: KindAsked = "book",
) -> Response[Any]:
    """The form with what others know of a book or a film."""
    library = (await owned_in(request, library_id)).library
    return await _sought(request, library, replace(data, kind="film" if kind == "film" else "book"))


@get(LOOK_UP, opt=needs(Need.THEMSELVES), sync_to_thread=False)
def back_to_adding(library_id: FromPath[str]) -> Response[Any]:
    """For whoever opens the address of a form."""
    return redirect(addresses.add(library_id))


async def _sought(request: Request, library: Library, data: LookUpForm) -> Response[Any]:
    sought = await look_up(request, data)
    context = await _context(request, library, sought.form) | {"sought": sought}
    if sought.refusal is not None:
        return render_refused_page(request, TEMPLATE, sought.refusal, **context)
    return render_page(request, TEMPLATE, **context)


async def _context(request: Request, library: Library, form: Filled) -> dict[str, Any]:
    here = addresses.add(library.library_id)
    return await form_context(request, library, form, action=here)


HANDLERS = [add_form, add, look_up, back_to_adding]


async def add_once(
    store: Store,
    now: float,
    person: User,
    library: Library,
    *,
    form: ItemForm,
    given: dict[str, Any],
) -> SavedItem:
    """Puts up what a form says; pressed twice, it gives what the first press has put there."""
    arriving = Origin(_item_id(library, form), {}, lambda _: [])
    try:
        item = await item_in(store, library, arriving.item_id)
    except NotFound:
        kind = entity_of(form.kind)
        try:
            item = await create_item(
                store, now, person, library.library_id, kind=kind, given=given, arriving=arriving
            )
        except Conflict as error:
            try:
                item = await item_in(store, library, arriving.item_id)
            except NotFound:
                raise error from None
    return SavedItem(item, await same_works(store, item))


def _item_id(library: Library, form: ItemForm) -> str:
    """The id of what a form makes: another one where one goes back and types something else."""
    if not form.form_id:
        return new_id()
    whole = msgspec.json.encode([library.owner_id, library.library_id, form])
    return blake2b(whole, digest_size=16).hexdigest().upper()
