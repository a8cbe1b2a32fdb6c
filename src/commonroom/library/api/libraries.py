"""Libraries: one's own, and those that others share."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct

from commonroom.accounts.context import Context
from commonroom.library.api import views
from commonroom.library.api.bodies import LibraryChange, NewLibrary, text_given
from commonroom.library.service import access, libraries, sharing
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.web.operations import delete, get, part, patch, post
from commonroom.web.paging import Listed, Paging
from commonroom.web.responses import JsonResponse

ALL = "/libraries"
ONE = f"{ALL}/{{library_id:str}}"
SHARED = "/shared-libraries"


class Confirmed(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether whoever asks is sure."""

    force: Annotated[bool, Meta(description="Do it anyway, with everything that is lost.")] = False


@post(ALL, Need.THEMSELVES)
async def create_library(ctx: Ctx, new: NewLibrary) -> JsonResponse[views.Library]:
    """Create a library."""
    made = await libraries.create_library(ctx, name=new.library_name, description=new.description)
    return tagged(views.my_library(made), status=201)


@get(ALL, Need.SIGNED_IN)
async def list_libraries(ctx: Ctx, paging: Paging) -> Listed[views.Library]:
    """List one's own libraries by name."""
    found = await libraries.my_libraries(ctx, limit=paging.limit, cursor=paging.cursor)
    return Listed([views.my_library(one) for one in found.items], found.cursor)


@get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_library(
    ctx: Ctx, library_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.Library]:
    """Get a library that is one's own or shared with one."""
    found = await access.readable_library(ctx, library_id)
    return tagged(views.library(found), unless=if_none_match)


@patch(ONE, Need.THEMSELVES, errors=(404, 409, 412))
async def change_library(
    ctx: Ctx, library_id: str, if_match: IfMatch, change: LibraryChange
) -> JsonResponse[views.Library]:
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


@delete(ONE, Need.THEMSELVES, errors=(404, 409))
async def delete_library(ctx: Ctx, library_id: str, confirmed: Confirmed) -> None:
    """Delete a library with everything in it.

    One that is shared, or that something is lent from, is 409 unless that is confirmed;
    `shared_with` and `lent_items` say how many.
    """
    await libraries.delete_library(ctx, library_id, force=confirmed.force)


@get(SHARED, Need.SIGNED_IN)
async def list_shared_libraries(ctx: Ctx, paging: Paging) -> Listed[views.SharedLibrary]:
    """List the libraries that others share with one."""
    found = await libraries.shared_with_me(ctx, limit=paging.limit, cursor=paging.cursor)
    return Listed([views.shared_library(one) for one in found.items], found.cursor)


@delete(f"{SHARED}/{{library_id:str}}", Need.THEMSELVES, errors=(404, 409))
async def leave_library(ctx: Ctx, library_id: str) -> None:
    """Stop looking into a library that somebody shares."""
    await sharing.leave(ctx, library_id)


async def _version_matched(ctx: Context, library_id: str, if_match: str | None) -> int | None:
    """The version that must still be there; None where any may be changed."""
    if if_match is None:
        return None
    library = (await access.own_library(ctx, library_id)).library
    check_match(if_match, views.my_library(library))
    return library.version


OPERATIONS = part(
    "Library: libraries",
    create_library,
    list_libraries,
    get_library,
    change_library,
    delete_library,
    list_shared_libraries,
    leave_library,
)
