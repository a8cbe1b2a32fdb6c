"""Libraries: one's own, those that others share, with whom one is shared, and as a file."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct

from commonroom.accounts.context import Context
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.request import Request
from commonroom.http.responses import FileAnswer, JsonResponse
from commonroom.library.api import views
from commonroom.library.api.bodies import LibraryChange, NewLibrary, Sharing, text_given
from commonroom.library.rules.formats.own_json import LibraryFile
from commonroom.library.service import access, exports, libraries

ALL = "/libraries"
ONE = f"{ALL}/{{library_id:str}}"
SHARED = "/shared-libraries"
SHARES = f"{ONE}/shares"
CSV, JSON = "text/csv; charset=utf-8", "application/json"


api = Operations("Library: libraries")
sharing_api = api.tagged("Library: sharing")
export_api = api.tagged("Library: export")


class Confirmed(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the caller is sure."""

    force: Annotated[bool, Meta(description="Do it anyway, with everything that is lost.")] = False


@api.post(ALL, Need.NOT_ACTING)
async def create_library(ctx: Ctx, new: NewLibrary) -> JsonResponse[views.LibraryView]:
    """Create a library."""
    made = await libraries.create_library(ctx, name=new.library_name, description=new.description)
    return tagged(views.my_library(made), status=201)


@api.get(ALL, Need.SIGNED_IN)
async def list_libraries(ctx: Ctx, paging: Paging) -> PagedList[views.LibraryView]:
    """List one's own libraries by name."""
    found = await libraries.my_libraries(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.my_library(one) for one in found.items], found.cursor)


@api.get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_library(
    ctx: Ctx, library_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.LibraryView]:
    """Get a library that is one's own or shared with one."""
    found = await access.readable_library(ctx, library_id)
    return tagged(views.library(found), unless=if_none_match)


@api.patch(ONE, Need.NOT_ACTING, errors=(404, 409, 412))
async def change_library(
    ctx: Ctx, library_id: str, if_match: IfMatch, change: LibraryChange
) -> JsonResponse[views.LibraryView]:
    """Change a library.

    What is left out stays as it is. Items have a new name after a moment.
    """
    changed = await libraries.change_library(
        ctx,
        library_id,
        name=None if change.library_name is UNSET else change.library_name,
        description=text_given(change.description),
        version=await _version_matched(ctx, library_id, if_match),
    )
    return tagged(views.my_library(changed))


@api.delete(ONE, Need.NOT_ACTING, errors=(404, 409))
async def delete_library(ctx: Ctx, library_id: str, confirmed: Confirmed) -> None:
    """Delete a library with everything in it.

    One that is shared, or that something is lent from, is 409 unless that is confirmed;
    `shared_with` and `lent_items` say how many.
    """
    await libraries.delete_library(ctx, library_id, force=confirmed.force)


@api.get(SHARED, Need.SIGNED_IN)
async def list_shared_libraries(ctx: Ctx, paging: Paging) -> PagedList[views.SharedLibraryView]:
    """List the libraries that others share with one."""
    found = await libraries.shared_with_me(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.shared_library(one) for one in found.items], found.cursor)


@api.delete(f"{SHARED}/{{library_id:str}}", Need.NOT_ACTING, errors=(404, 409))
async def leave_library(ctx: Ctx, library_id: str) -> None:
    """Leave a library that another person shares."""
    await libraries.leave(ctx, library_id)


@sharing_api.get(SHARES, Need.NOT_ACTING, errors=(404,))
async def list_shares(ctx: Ctx, library_id: str) -> PagedList[views.LibraryShare]:
    """List with whom a library of one's own is shared."""
    library = (await access.own_library(ctx, library_id)).library
    return PagedList(views.shares(library), None)


@sharing_api.post(SHARES, Need.NOT_ACTING, errors=(404, 409, 429))
async def share_library(request: Request, library_id: str, wanted: Sharing) -> views.LibraryShare:
    """Share a library with a person who has an account.

    They see items and collections, not who has what. Addresses without an account can only be
    tried so often.
    """
    made = await libraries.share(
        request.context, library_id, wanted.email, asked_from=request.client_address
    )
    return views.LibraryShare(made.shared_to_id, made.shared_to_email or wanted.email)


@sharing_api.delete(f"{SHARES}/{{recipient_id:str}}", Need.NOT_ACTING, errors=(404, 409))
async def unshare_library(ctx: Ctx, library_id: str, recipient_id: str) -> None:
    """End a share."""
    await libraries.unshare(ctx, library_id, recipient_id)


@export_api.get(f"{ONE}/export.csv", Need.NOT_ACTING, errors=(404,), file=CSV)
async def export_as_csv(ctx: Ctx, library_id: str) -> JsonResponse[None]:
    """Take one’s own library along as CSV: every item with all its fields and its loan."""
    name, pieces = await exports.export_csv(ctx, library_id)
    return FileAnswer(pieces, kind=CSV, name=f"{name}.csv")


@export_api.get(f"{ONE}/export.json", Need.NOT_ACTING, errors=(404,), file=JSON)
async def export_as_json(ctx: Ctx, library_id: str) -> JsonResponse[LibraryFile]:
    """Take one’s own library along as JSON, with collections, borrowers and history."""
    name, pieces = await exports.export_json(ctx, library_id)
    return FileAnswer(pieces, kind=JSON, name=f"{name}.json")


async def _version_matched(ctx: Context, library_id: str, if_match: str | None) -> int | None:
    """Returns the version that must still be there; None where any may be changed."""
    if if_match is None:
        return None
    library = (await access.own_library(ctx, library_id)).library
    check_match(if_match, views.my_library(library))
    return library.version
