"""With whom a library is shared."""

from __future__ import annotations

from commonroom.library.api import libraries, views
from commonroom.library.api.bodies import Sharing
from commonroom.library.service import access, sharing
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.operations import delete, get, part, post
from commonroom.web.paging import Listed
from commonroom.web.request import Request

ALL = f"{libraries.ONE}/shares"


@get(ALL, Need.THEMSELVES, errors=(404,))
async def list_shares(ctx: Ctx, library_id: str) -> Listed[views.LibraryShare]:
    """List with whom a library of one's own is shared."""
    library = (await access.own_library(ctx, library_id)).library
    return Listed(views.shares(library), None)


@post(ALL, Need.THEMSELVES, errors=(404, 409, 429))
async def share_library(request: Request, library_id: str, wanted: Sharing) -> views.LibraryShare:
    """Let somebody with an account look into a library.

    They see items and collections, not who has what. Addresses without an account can only be
    tried so often.
    """
    made = await sharing.share(
        request.context, library_id, wanted.email, asked_from=request.client_address
    )
    return views.LibraryShare(made.shared_to_id, made.shared_to_email or wanted.email)


@delete(f"{ALL}/{{recipient_id:str}}", Need.THEMSELVES, errors=(404, 409))
async def unshare_library(ctx: Ctx, library_id: str, recipient_id: str) -> None:
    """End a share."""
    await sharing.unshare(ctx, library_id, recipient_id)


OPERATIONS = part("Library: sharing", list_shares, share_library, unshare_library)
