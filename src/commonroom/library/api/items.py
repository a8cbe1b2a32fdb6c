"""Books and videos: on the shelf, one by one, moved, and what others know of them."""

from __future__ import annotations

from typing import Annotated, TypeAlias, cast

from msgspec import Meta, Struct

from commonroom.accounts.context import Context
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import sent_fields
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tag_of, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.library import tables
from commonroom.library.api import libraries, views
from commonroom.library.api.bodies import ItemChange, Moving, NewBook, NewVideo
from commonroom.library.api.libraries import Confirmed
from commonroom.library.service import access, items, lookup, moves, shelves
from commonroom.library.service.lookup import MAX_SOUGHT, BookOffer, LookupResult, VideoOffer
from commonroom.titles.service import Titles

ALL = f"{libraries.ONE}/items"
ONE = f"{ALL}/{{item_id:str}}"

NewItem: TypeAlias = NewBook | NewVideo


api = Operations("Library: items", errors=(404, 409))
look_ups = api.tagged("Library: look-ups")


class ShelfPaging(Paging, frozen=True, forbid_unknown_fields=True):
    """Which part of a shelf."""

    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=shelves.MAX_PAGE,
            description="Maximum number; a collection counts as one more than its items.",
        ),
    ] = shelves.PAGE


class SoughtFilm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which film to look for."""

    title: Annotated[
        str, Meta(min_length=1, max_length=MAX_SOUGHT, description="A title, or part of one.")
    ]


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_items(
    ctx: Ctx, library_id: str, paging: ShelfPaging
) -> PagedList[views.ShelfRunView]:
    """List what is in a library: items and collections in one alphabet.

    Members of a collection stand directly behind it; where a page cuts one, it is marked as
    continuing.
    """
    seen = await shelves.see_shelf(ctx, library_id, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.shelf_group(one, seen.access) for one in seen.groups], seen.cursor)


@api.post(ALL, Need.NOT_ACTING)
async def add_item(ctx: Ctx, library_id: str, new: NewItem) -> JsonResponse[views.KeptItem]:
    """Add a book or a video.

    Where the library has the same work already, it is added all the same, with a warning.
    """
    kind = tables.Book if isinstance(new, NewBook) else tables.Video
    kept = await items.add_item(ctx, library_id, kind=kind, given=sent_fields(new))
    return _saved_response(kept, status=201)


@api.get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_item(
    ctx: Ctx, library_id: str, item_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.Item]:
    """Get a book or a video."""
    seen = await items.see_item(ctx, library_id, item_id)
    return tagged(views.item(seen.item, is_mine=seen.access.is_owner), unless=if_none_match)


@api.patch(ONE, Need.NOT_ACTING, errors=(404, 409, 412))
async def change_item(
    ctx: Ctx, library_id: str, item_id: str, if_match: IfMatch, change: ItemChange
) -> JsonResponse[views.KeptItem]:
    """Change a book or a video.

    What is left out stays as it is.
    """
    kept = await items.change_item(
        ctx,
        library_id,
        item_id,
        given=sent_fields(change),
        version=await _version_matched(ctx, library_id, item_id, if_match),
    )
    return _saved_response(kept)


@api.delete(ONE, Need.NOT_ACTING)
async def delete_item(ctx: Ctx, library_id: str, item_id: str, confirmed: Confirmed) -> None:
    """Delete a book or a video with its history.

    One that is lent is 409 unless that is confirmed; `lent_to` says to whom.
    """
    await items.delete_item(ctx, library_id, item_id, force=confirmed.force)


@api.post(f"{ONE}/move", Need.NOT_ACTING, status=200)
async def move_item(
    ctx: Ctx, library_id: str, item_id: str, moved: Moving
) -> JsonResponse[views.Item]:
    """Move a book or a video, lent or not, to another library of one's own, with its history."""
    there = await moves.move_item(
        ctx, library_id, item_id, to=moved.to, collection_id=moved.collection_id, order=moved.order
    )
    return tagged(views.item(there, is_mine=True))


@look_ups.get("/look-ups/books/{isbn:str}", Need.SIGNED_IN, errors=(404, 422, 429))
async def look_up_book(request: Request, isbn: str) -> LookupResult[BookOffer]:
    """Look up a book by its ISBN.

    What is found is offered and changes nothing. Where a source is slow or down, the rest is
    offered. 404 where look-ups are switched off.
    """
    books = cast("lookup.BookSource", request.app.state.books)
    return await lookup.look_up_book(request.context, books, isbn)


@look_ups.get("/look-ups/films", Need.SIGNED_IN, errors=(422, 429))
async def look_up_film(request: Request, sought: SoughtFilm) -> LookupResult[VideoOffer]:
    """Look up a film by its title, the likeliest first.

    What is found is offered and changes nothing. Where TMDB is slow or down, the built-in catalogue
    answers.
    """
    films = cast("Titles", request.app.state.titles).films
    return await lookup.look_up_film(request.context, films, sought.title)


def _saved_response(kept: items.SavedItem, status: int = 200) -> JsonResponse[views.KeptItem]:
    """The item with its warnings; the tag is the item's, as it is shown without them."""
    view = views.saved_item(kept)
    return JsonResponse(view, status=status, headers={"ETag": tag_of(view.item)})


async def _version_matched(
    ctx: Context, library_id: str, item_id: str, if_match: str | None
) -> int | None:
    """Returns the version that must still be there; None where any may be changed."""
    if if_match is None:
        return None
    _owned, item = await access.own_item(ctx, library_id, item_id)
    check_match(if_match, views.item(item, is_mine=True))
    return item.version
