"""Collections of a library."""

from __future__ import annotations

from msgspec import UNSET

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.responses import JsonResponse
from commonroom.library.api import libraries, views
from commonroom.library.api.bodies import CollectionChange, NewCollection, text_given
from commonroom.library.service import access, collections

ALL = f"{libraries.ONE}/collections"
ONE = f"{ALL}/{{collection_id:str}}"


api = Operations("Library: collections", errors=(404, 409))


@api.post(ALL, Need.NOT_ACTING)
async def create_collection(
    ctx: Ctx, library_id: str, new: NewCollection
) -> JsonResponse[views.CollectionView]:
    """Create a collection.

    Where another in the library has its name, 409 names that in `collection_id`.
    """
    made = await collections.create_collection(
        ctx, library_id, name=new.name, description=new.description
    )
    return tagged(views.collection(made), status=201)


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_collections(
    ctx: Ctx, library_id: str, paging: Paging
) -> PagedList[views.CollectionView]:
    """List the collections of a library, each page by name."""
    library = (await access.readable_library(ctx, library_id)).library
    found = await collections.list_collections(
        ctx.store, library, limit=paging.limit, cursor=paging.cursor
    )
    return PagedList([views.collection(one) for one in found.items], found.cursor)


@api.get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_collection(
    ctx: Ctx, library_id: str, collection_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.CollectionView]:
    """Get a collection."""
    found = await collections.see_collection(ctx, library_id, collection_id)
    return tagged(views.collection(found), unless=if_none_match)


@api.get(f"{ONE}/items", Need.SIGNED_IN, errors=(404,))
async def list_collection_items(
    ctx: Ctx, library_id: str, collection_id: str, paging: Paging
) -> views.ItemList:
    """List the items of a collection in their order."""
    found = await access.readable_library(ctx, library_id)
    seen = await collections.see_members(
        ctx.store, found, collection_id, limit=paging.limit, cursor=paging.cursor
    )
    shown = [views.item(one, is_mine=found.is_owner) for one in seen.items]
    return views.ItemList(shown, seen.cursor)


@api.patch(ONE, Need.NOT_ACTING, errors=(404, 409, 412))
async def change_collection(
    ctx: Ctx, library_id: str, collection_id: str, if_match: IfMatch, change: CollectionChange
) -> JsonResponse[views.CollectionView]:
    """Change a collection.

    What is left out stays as it is. Its items have a new name after a moment.
    """
    version = None
    if if_match is not None:
        seen = await collections.see_collection(ctx, library_id, collection_id)
        check_match(if_match, views.collection(seen))
        version = seen.version
    changed = await collections.change_collection(
        ctx,
        library_id,
        collection_id,
        name=None if change.name is UNSET else change.name,
        description=text_given(change.description),
        version=version,
    )
    return tagged(views.collection(changed))


@api.delete(ONE, Need.NOT_ACTING)
async def delete_collection(ctx: Ctx, library_id: str, collection_id: str) -> None:
    """Delete a collection; its items stay, each by itself after a moment."""
    await collections.delete_collection(ctx, library_id, collection_id)
