"""Collections: all of a library's, and one with its members in order."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from commonroom.errors import InvalidField
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import card_of
from commonroom.library.pages.item_forms import place_typed
from commonroom.library.pages.merge import (
    changed_meanwhile,
    filled_form,
    merge_form,
    merged_anew,
    only,
    stale_form,
)
from commonroom.library.pages.page import may_change, render_page
from commonroom.library.rules import names
from commonroom.library.service import collections as service
from commonroom.library.service.access import LibraryAccess, readable_library
from commonroom.library.service.items import change_item
from commonroom.library.tables import Collection
from commonroom.moments import elapsed, seconds

SETTLED_SECONDS = 60
PLACE = f"{addresses.COLLECTION}/items/{{item_id:str}}/place"
MAX_LENGTHS: dict[str, Any] = {
    "longest": names.MAX_COLLECTION_NAME,
    "longest_description": names.MAX_COLLECTION_DESCRIPTION,
}


pages = Pages()


class CollectionForm(Form):
    """What a collection is called, and what is said about it."""

    name: Line
    description: Line = ""
    base: Line = ""
    """What it was filled with (`pages.merge`); empty for a new one."""


class CollectionOrderForm(Form):
    """Where an item stands in its collection."""

    order: Line = ""


@pages.page(addresses.COLLECTIONS, Need.SIGNED_IN)
async def collections(
    request: Request, library_id: str, cursor: Cursor = None, form: FormState = EMPTY
) -> Response[Any]:
    """All of a library's: two requests, or three."""
    access = await readable_library(request.context, library_id)
    found = await service.list_collections(request.store, access.library, cursor=cursor)
    return render_page(
        request,
        "library/collections.html",
        library=access.library,
        is_owner=access.is_owner,
        may=may_change(request, access),
        collections=[
            (one, addresses.collection(library_id, one.collection_id)) for one in found.items
        ],
        cursor=found.cursor,
        form=_beside_name(form),
        **MAX_LENGTHS,
    )


@pages.form(addresses.COLLECTIONS, Need.NOT_ACTING, on=collections, flash="collection-made")
async def make_collection(ctx: Ctx, library_id: str, data: CollectionForm) -> str:
    """Makes one."""
    made = await service.create_collection(
        ctx, library_id, name=data.name, description=data.description
    )
    return addresses.collection(library_id, made.collection_id)


@pages.page(addresses.COLLECTION, Need.SIGNED_IN)
async def collection(
    request: Request,
    library_id: str,
    collection_id: str,
    *,
    cursor: Cursor = None,
    form: FormState | None = None,
    place_form: FormState = EMPTY,
) -> Response[Any]:
    """One with its members: three requests, or four."""
    access = await readable_library(request.context, library_id)
    seen = await service.see_members(request.store, access, collection_id, cursor=cursor)
    context = _context(request, access, seen, form)
    context["settles"] = cursor is None and _settles(seen, request.now)
    if place_form.message:
        context["misplaced"] = (request.path_params["item_id"], place_form.message)
    return render_page(request, **context)


@pages.form(addresses.COLLECTION, Need.NOT_ACTING, on=collection)
@merged_anew
async def save_collection(
    request: Request, ctx: Ctx, library_id: str, collection_id: str, data: CollectionForm
) -> Response[Any]:
    """Renames and describes a collection; what others saved meanwhile is not lost."""
    access = await readable_library(ctx, library_id)
    seen = await service.see_members(ctx.store, access, collection_id)
    there = seen.collection
    change = merge_form(structs.asdict(data), data.base, _stored_values(there))
    if change.is_stale:
        context = _context(request, access, seen, stale_form(change)) | {"theirs": change.theirs}
        return render_page(request, error=changed_meanwhile(), **context)
    given = only(change.mine, {"name": data.name, "description": data.description})
    await service.change_collection(ctx, library_id, collection_id, **given, version=there.version)
    return redirect(addresses.collection(library_id, collection_id), "collection-saved")


@pages.form(
    f"{addresses.COLLECTION}/delete",
    Need.NOT_ACTING,
    on=collection,
    leads_to="/library/{library_id}",
    flash="collection-deleted",
)
async def dissolve(ctx: Ctx, library_id: str, collection_id: str) -> None:
    """Deletes one; what is in it stays."""
    await service.delete_collection(ctx, library_id, collection_id)


@pages.form(PLACE, Need.NOT_ACTING, on=collection, slot="place_form", flash="item-placed")
async def put_in_place(
    ctx: Ctx, library_id: str, collection_id: str, item_id: str, data: CollectionOrderForm
) -> None:
    """Changes an item's number."""
    order = place_typed(data.order)
    if order is None:
        raise InvalidField("order", "Enter a number.")
    given = {"collection_id": collection_id, "order": order}
    await change_item(ctx, library_id, item_id, given=given)


def _context(
    request: Request, access: LibraryAccess, seen: service.CollectionPage, form: FormState | None
) -> dict[str, Any]:
    return {
        "template": "library/collection.html",
        "library": access.library,
        "is_owner": access.is_owner,
        "may": may_change(request, access),
        "collection": seen.collection,
        "cards": [card_of(one, request) for one in seen.items],
        "cursor": seen.cursor,
        "settles": False,
        "form": filled_form(_stored_values(seen.collection))
        if form is None
        else _beside_name(form),
        "is_wrong": form is not None,
        "misplaced": None,
        "theirs": {},
        **MAX_LENGTHS,
    }


def _settles(seen: service.CollectionPage, now: float) -> bool:
    """Whether a new name is still on its way to the members, which stand under the old one."""
    if seen.cursor is not None or len(seen.items) >= seen.collection.item_count:
        return False
    changed = seen.collection.updated_at
    return changed is not None and elapsed(seconds(changed), now) < SETTLED_SECONDS


def _stored_values(collection: Collection) -> dict[str, str]:
    return {"name": collection.name, "description": collection.description or ""}


def _beside_name(form: FormState) -> FormState:
    """Returns the form's error: what is wrong besides the fields is that the name is taken."""
    if form.form_error is None or form.form_error == changed_meanwhile().detail:
        return form
    return FormState(form.values, {"name": form.form_error})
