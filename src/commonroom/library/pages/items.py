"""An item's page, and what is done with it: added once, changed, looked up, moved, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import _
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import LibraryItemCard, card_of, loan_of
from commonroom.library.pages.item_forms import (
    PLACE,
    as_stored,
    entity_of,
    given_in,
    kind_of,
    merge_item_form,
    new_item_id,
    place_in_form,
)
from commonroom.library.pages.lookup import LookUpForm, LookUpResult, form_context, look_up
from commonroom.library.pages.merge import MergedForm, changed_meanwhile, merged_anew, stale_form
from commonroom.library.pages.page import may_change, render_page
from commonroom.library.rules.names import new_id
from commonroom.library.rules.shelves import Entry
from commonroom.library.service.access import (
    LibraryAccess,
    hide_private,
    item_in,
    own_item,
    own_library,
    readable_library,
)
from commonroom.library.service.item_writes import same_works
from commonroom.library.service.items import add_item_once, change_item, delete_item
from commonroom.library.service.libraries import first_library, library_to_be, my_libraries
from commonroom.library.service.moves import move_item
from commonroom.library.service.shelves import collection_of, see_neighbours
from commonroom.library.tables import Book, Collection, Library, Video
from commonroom.store import Store

EDIT = f"{addresses.ITEM}/edit"

KindAsked = Annotated[str, Meta(max_length=10)]
CollectionAsked = Annotated[str, Meta(max_length=200)]


pages = Pages()


class DeleteItemForm(Form):
    """Confirms that it is deleted although it is lent."""

    force: bool = False


class MoveItemForm(Form):
    """Where an item moves."""

    to: Line


class Neighbour(Struct, frozen=True):
    """Something on the shelf beside an item."""

    card: LibraryItemCard | None
    collection: Collection | None
    is_here: bool = False

    @property
    def address(self) -> str:
        """Its page."""
        if self.collection is not None:
            return addresses.collection(self.collection.library_id, self.collection.collection_id)
        return "" if self.card is None else self.card.address


@pages.page(addresses.ITEM, Need.SIGNED_IN)
async def item(
    request: Request, library_id: str, item_id: str, form: FormState = EMPTY
) -> Response[Any]:
    """An item as the caller may see it: four requests, one with a code, one with a collection."""
    store = request.store
    access = await readable_library(request.context, library_id)
    found = await item_in(store, access.library, item_id)
    thing = hide_private(access, found)
    neighbours, same, collection = await store.gather(
        see_neighbours(store, access, thing),
        _same(store, access, found),
        collection_of(store, found),
    )
    return render_page(
        request,
        "library/item.html",
        access=access,
        library=access.library,
        may=may_change(request, access),
        card=card_of(thing, request, "large"),
        loan=loan_of(thing, request.now, request.person),
        collection=collection,
        before=None if neighbours.before is None else card_of(neighbours.before),
        after=None if neighbours.after is None else card_of(neighbours.after),
        neighbours=_neighbours(request, neighbours.entries, found),
        same=[card_of(one) for one in same],
        form=form,
    )


@pages.form(
    f"{addresses.ITEM}/delete",
    Need.NOT_ACTING,
    on=item,
    leads_to="/library/{library_id}",
    flash="item-deleted",
)
async def delete(ctx: Ctx, library_id: str, item_id: str, data: DeleteItemForm) -> None:
    """Takes an item off the shelf; the page asks again if it is lent."""
    await delete_item(ctx, library_id, item_id, force=data.force)


@pages.page(addresses.ADD, Need.NOT_ACTING)
async def add_form(
    request: Request,
    library_id: str,
    kind: KindAsked = "book",
    collection: CollectionAsked = "",
    form: FormState | None = None,
) -> Response[Any]:
    """An empty form: two requests."""
    library = await _library_to_fill(request.context, library_id)
    known = {"kind": "film" if kind == "film" else "book", "form_id": new_id()}
    empty = FormState({**known, "collection": collection})
    return await _render_add(request, library, form or empty)


@pages.form(addresses.ADD, Need.NOT_ACTING, on=add_form)
async def add(request: Request, ctx: Ctx, library_id: str, data: LookUpForm) -> Response[Any]:
    """Puts it on the shelf, once; looks it up where the return key was meant for that."""
    library = await _library_to_fill(ctx, library_id)
    if data.asks:
        found = await look_up(request, data)
        return await _render_add(request, library, found.form, found)
    typed = data.item
    given = given_in(typed)
    if library_id == addresses.FIRST:
        library = await first_library(ctx, name=library.library_name, form_id=typed.form_id)
    given |= await place_in_form(ctx, library.library_id, form=typed)
    kind, item_id = entity_of(typed.kind), new_item_id(library, typed)
    saved = await add_item_once(ctx, library, item_id, kind=kind, given=given)
    flash = "item-added-twice" if saved.same else "item-added"
    return redirect(addresses.item(library.library_id, saved.item.item_id), flash)


@pages.form(f"{addresses.ADD}/look-up", Need.NOT_ACTING, on=add_form)
async def look_up_new(
    request: Request, ctx: Ctx, library_id: str, data: LookUpForm, kind: KindAsked = "book"
) -> Response[Any]:
    """The form with what others know of a book or a film."""
    library = await _library_to_fill(ctx, library_id)
    found = await look_up(request, replace(data, kind="film" if kind == "film" else "book"))
    return await _render_add(request, library, found.form, found)


@pages.page(EDIT, Need.NOT_ACTING)
async def edit_form(
    request: Request,
    library_id: str,
    item_id: str,
    form: FormState | None = None,
    move_form: FormState = EMPTY,
) -> Response[Any]:
    """An item's form, and where it could move: four requests."""
    owned, item = await own_item(request.context, library_id, item_id)
    shown = as_stored(item)
    if form is not None:
        shown = replace(form, values={**form.values, "kind": kind_of(item)})
    return await _render_edit(request, owned.library, item, shown, move_form=move_form)


@pages.form(EDIT, Need.NOT_ACTING, on=edit_form)
@merged_anew
async def save(
    request: Request, ctx: Ctx, library_id: str, item_id: str, data: LookUpForm
) -> Response[Any]:
    """Keeps what was changed; looks it up where the return key was meant for that.

    What others saved meanwhile is kept, too; of one field, both values are shown.
    """
    if data.asks:
        return await _look_up(request, ctx, library_id, item_id, data)
    owned, item = await own_item(ctx, library_id, item_id)
    typed = replace(data.item, kind=kind_of(item))
    change = merge_item_form(typed, item)
    if change.is_stale:
        return await _render_stale(request, owned.library, item, change)
    given = given_in(typed, change.mine)
    if change.mine.intersection(PLACE):
        given |= await place_in_form(ctx, library_id, form=typed, item=item)
    saved = await change_item(ctx, library_id, item_id, given=given, version=item.version)
    flash = "item-added-twice" if saved.same else "item-saved"
    return redirect(addresses.item(library_id, item_id), flash)


@pages.form(f"{EDIT}/look-up", Need.NOT_ACTING, on=edit_form)
async def look_up_again(
    request: Request, ctx: Ctx, library_id: str, item_id: str, data: LookUpForm
) -> Response[Any]:
    """The form, with what others know where nothing stands yet."""
    return await _look_up(request, ctx, library_id, item_id, data)


@pages.form(
    f"{addresses.ITEM}/move", Need.NOT_ACTING, on=edit_form, slot="move_form", flash="item-moved"
)
async def move(ctx: Ctx, library_id: str, item_id: str, data: MoveItemForm) -> str:
    """Moves an item to another library."""
    await move_item(ctx, library_id, item_id, to=data.to)
    return addresses.item(data.to, item_id)


async def _same(store: Store, access: LibraryAccess, found: Book | Video) -> list[Book | Video]:
    """Other items that are the same work, for their owner to see."""
    return await same_works(store, found) if access.is_owner else []


def _neighbours(request: Request, entries: Sequence[Entry], found: Book | Video) -> list[Neighbour]:
    return [
        Neighbour(None, one)
        if isinstance(one, Collection)
        else Neighbour(card_of(one, request), None, is_here=one.item_id == found.item_id)
        for one in entries
    ]


async def _library_to_fill(ctx: Context, library_id: str) -> Library:
    """Returns the library that something is added to, or the first one, which is yet to be made."""
    if library_id == addresses.FIRST:
        return library_to_be(ctx, library_id, _("My library"))
    return (await own_library(ctx, library_id)).library


async def _look_up(
    request: Request, ctx: Context, library_id: str, item_id: str, data: LookUpForm
) -> Response[Any]:
    owned, item = await own_item(ctx, library_id, item_id)
    found = await look_up(request, replace(data, kind=kind_of(item)))
    return await _render_edit(request, owned.library, item, found.form, found=found)


async def _render_add(
    request: Request, library: Library, form: FormState, found: LookUpResult | None = None
) -> Response[Any]:
    here = addresses.add(library.library_id)
    context = await form_context(request, library, form, action=here, found=found)
    return render_page(request, "library/add.html", **context)


async def _render_edit(
    request: Request,
    library: Library,
    item: Book | Video,
    form: FormState,
    *,
    move_form: FormState = EMPTY,
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


async def _render_stale(
    request: Request, library: Library, item: Book | Video, change: MergedForm
) -> Response[Any]:
    kept = {"kind": kind_of(item), "version": str(item.version)}
    form = stale_form(replace(change, values={**change.values, **kept}))
    theirs, error = change.theirs, changed_meanwhile()
    return await _render_edit(request, library, item, form, theirs=theirs, error=error)
