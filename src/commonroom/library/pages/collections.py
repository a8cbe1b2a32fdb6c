"""Collections: all of a library's, and one with its members in order."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import structs

from commonroom.errors import InvalidField, NotFound, PreconditionFailed, Refusal
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import card_of
from commonroom.library.pages.item_forms import place_typed
from commonroom.library.pages.merge import (
    TRIES,
    base_of,
    changed_meanwhile,
    merge_form,
    only,
    stale_form,
)
from commonroom.library.pages.page import may_change, reach_in, render_page, render_refused_page
from commonroom.library.rules import names
from commonroom.library.service.collections import (
    CollectionPage,
    change_collection,
    create_collection,
    delete_collection,
    see_collections,
    see_members,
)
from commonroom.library.service.items import change_item
from commonroom.library.tables import Collection
from commonroom.moments import seconds
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled, Form, Line, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Cursor, Request

ALL = "library/collections.html"
ONE = "library/collection.html"
SETTLED_SECONDS = 60


class CollectionForm(Form):
    """What a collection is called, and what is said about it."""

    name: Line
    description: Line = ""
    base: Line = ""
    """What it was filled with (`pages.merging`); empty for a new one."""


class PlaceForm(Form):
    """Where an item stands in its collection."""

    order: Line = ""


@get(addresses.COLLECTIONS, opt=needs(Need.SIGNED_IN))
async def collections(
    request: Request, library_id: FromPath[str], cursor: Cursor = None
) -> Response[Any]:
    """All of a library's: two requests, or three."""
    return render_page(request, ALL, **await _all(request, library_id, EMPTY, cursor))


@post(addresses.COLLECTIONS, opt=needs(Need.THEMSELVES), status_code=200)
async def make_collection(
    request: Request, library_id: FromPath[str], data: Sent[CollectionForm]
) -> Response[Any]:
    """Makes one."""
    try:
        made = await create_collection(
            request.store,
            time.time(),
            request.person,
            library_id,
            name=data.name,
            description=data.description,
        )
    except NotFound:
        raise
    except Refusal as error:
        context = await _all(request, library_id, _beside_name(data, error))
        return render_refused_page(request, ALL, error, **context)
    return redirect(addresses.collection(library_id, made.collection_id), "collection-made")


@get(addresses.COLLECTION, opt=needs(Need.SIGNED_IN))
async def collection(
    request: Request,
    library_id: FromPath[str],
    collection_id: FromPath[str],
    cursor: Cursor = None,
) -> Response[Any]:
    """One with its members: three requests, or four."""
    context = await _one(request, library_id, collection_id, cursor=cursor)
    return render_page(request, ONE, **context)


@post(addresses.COLLECTION, opt=needs(Need.THEMSELVES), status_code=200)
async def save_collection(
    request: Request,
    library_id: FromPath[str],
    collection_id: FromPath[str],
    data: Sent[CollectionForm],
) -> Response[Any]:
    """Renames and describes one; what somebody else has saved meanwhile is not lost."""
    here = (request, library_id, collection_id)
    for _ in range(TRIES):
        context = await _one(*here)
        there: Collection = context["collection"]
        form = merge_form(structs.asdict(data), data.base, _stored_values(there))
        if form.is_stale:
            context |= {"form": stale_form(form), "theirs": form.theirs, "is_wrong": True}
            return render_refused_page(request, ONE, changed_meanwhile(), **context)
        try:
            await change_collection(
                request.store,
                time.time(),
                request.person,
                library_id,
                collection_id,
                **only(form.mine, {"name": data.name, "description": data.description}),
                version=there.version,
            )
        except NotFound:
            raise
        except PreconditionFailed:
            continue
        except Refusal as error:
            return render_refused_page(
                request, ONE, error, **await _one(*here, form=_beside_name(data, error))
            )
        return redirect(addresses.collection(library_id, collection_id), "collection-saved")
    raise changed_meanwhile()


@post(f"{addresses.COLLECTION}/delete", opt=needs(Need.THEMSELVES), status_code=200)
async def dissolve(
    request: Request, library_id: FromPath[str], collection_id: FromPath[str]
) -> Response[Any]:
    """Deletes one; what is in it stays."""
    await delete_collection(request.store, request.person, library_id, collection_id)
    return redirect(addresses.library(library_id), "collection-deleted")


@post(
    f"{addresses.COLLECTION}/items/{{item_id:str}}/place",
    opt=needs(Need.THEMSELVES),
    status_code=200,
)
async def put_in_place(
    request: Request,
    library_id: FromPath[str],
    collection_id: FromPath[str],
    item_id: FromPath[str],
    data: Sent[PlaceForm],
) -> Response[Any]:
    """Gives an item another number."""
    store, person = request.store, request.person
    try:
        order = place_typed(data.order)
        if order is None:
            raise InvalidField("order", "Enter a number.")
        given = {"collection_id": collection_id, "order": order}
        await change_item(store, time.time(), person, library_id, item_id, given=given)
    except NotFound:
        raise
    except Refusal as error:
        context = await _one(request, library_id, collection_id, place=(item_id, error.detail))
        return render_refused_page(request, ONE, error, **context)
    return redirect(addresses.collection(library_id, collection_id), "item-placed")


@get(
    [
        f"{addresses.COLLECTION}/delete",
        f"{addresses.COLLECTION}/items/{{item_id:str}}/place",
    ],
    opt=needs(Need.SIGNED_IN),
    sync_to_thread=False,
)
def back_to_collection(library_id: FromPath[str], collection_id: FromPath[str]) -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(addresses.collection(library_id, collection_id))


async def _all(
    request: Request, library_id: str, form: Filled, cursor: str | None = None
) -> dict[str, Any]:
    reach = await reach_in(request, library_id)
    found = await see_collections(request.store, reach, cursor=cursor)
    return {
        "library": reach.library,
        "is_owner": reach.is_owner,
        "may": may_change(request, reach),
        "collections": [
            (one, addresses.collection(library_id, one.collection_id)) for one in found.items
        ],
        "cursor": found.cursor,
        "form": form,
        **LONGEST,
    }


async def _one(
    request: Request,
    library_id: str,
    collection_id: str,
    *,
    form: Filled | None = None,
    place: tuple[str, str] | None = None,
    cursor: str | None = None,
) -> dict[str, Any]:
    reach = await reach_in(request, library_id)
    seen = await see_members(request.store, reach, collection_id, cursor=cursor)
    return {
        "library": reach.library,
        "is_owner": reach.is_owner,
        "may": may_change(request, reach),
        "collection": seen.collection,
        "cards": [card_of(one, request) for one in seen.items],
        "cursor": seen.cursor,
        "settles": cursor is None and _settles(seen, time.time()),
        "form": form or _as_stored(seen.collection),
        "is_wrong": form is not None,
        "misplaced": place,
        "theirs": {},
        **LONGEST,
    }


LONGEST = {
    "longest": names.LONGEST_COLLECTION_NAME,
    "longest_description": names.LONGEST_COLLECTION_DESCRIPTION,
}


def _settles(seen: CollectionPage, now: float) -> bool:
    """Whether a new name is still on its way to the members, which stand under the old one."""
    if seen.cursor is not None or len(seen.items) >= seen.collection.item_count:
        return False
    changed = seen.collection.updated_at
    return changed is not None and now - seconds(changed) < SETTLED_SECONDS


def _as_stored(collection: Collection) -> Filled:
    values = _stored_values(collection)
    return Filled({**values, "base": base_of(values)})


def _stored_values(collection: Collection) -> dict[str, str]:
    return {"name": collection.name, "description": collection.description or ""}


def _beside_name(data: CollectionForm, error: Refusal | Refusal) -> Filled:
    """What is wrong that is no field's fault is that the name is taken."""
    form = refused(data, error)
    return form if form.field else Filled(form.values, {"name": error.detail})


HANDLERS = [
    collections,
    make_collection,
    collection,
    save_collection,
    dissolve,
    put_in_place,
    back_to_collection,
]
