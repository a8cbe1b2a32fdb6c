"""Libraries: the room's home, making one, and its settings: its name, its shares, and its end."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from msgspec import Struct, structs

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import TONES
from commonroom.library.pages.merge import (
    changed_meanwhile,
    filled_form,
    merge_form,
    merged_anew,
    only,
    stale_form,
)
from commonroom.library.pages.page import render_page
from commonroom.library.rules import names
from commonroom.library.service import libraries
from commonroom.library.service.access import own_library
from commonroom.library.tables import Library, SharedLibrary

SPINES = 14
"""How many books are drawn on a library's tile."""
SHARES = f"{addresses.SETTINGS.replace(':str', '')}#sharing"


pages = Pages()


class LibraryForm(Form):
    """What a library is called."""

    library_name: Line
    description: Line = ""
    base: Line = ""
    """What it was filled with (`pages.merge`); empty for a new one."""


class ShareForm(Form):
    """Whom a library is shared with."""

    email: Line


class UnshareForm(Form):
    """Whom it is no longer shared with."""

    recipient_id: Line


class DeleteLibraryForm(Form):
    """That a library goes, though it is shared or something is lent from it."""

    force: bool = False


class Spine(Struct, frozen=True):
    """A book on a drawn shelf."""

    tone: int
    size: int


class Tile(Struct, frozen=True):
    """A library on the room's home."""

    library_id: str
    name: str
    description: str | None = None
    items: int = 0
    lent: int = 0
    is_mine: bool = True
    owner: str | None = None
    """Whose it is, as far as that is known, where it is another person's."""

    @property
    def address(self) -> str:
        """Its shelf."""
        return addresses.library(self.library_id)

    @property
    def spines(self) -> list[Spine]:
        """What is drawn for it: always the same, and the fuller the more there is."""
        shown = min(self.items, SPINES) if self.is_mine else SPINES
        dice = [crc32(f"{number}{self.library_id}".encode()) for number in range(shown)]
        return [Spine(one % TONES, one // TONES % 4) for one in dice]


@pages.page(addresses.ROOM, Need.SIGNED_IN)
async def home(
    request: Request, cursor: Cursor = None, theirs: Cursor = None, form: FormState = EMPTY
) -> Response[Any]:
    """One's own libraries and those of others: two requests."""
    own, shared = await request.store.gather(
        libraries.my_libraries(request.context, cursor=cursor),
        libraries.shared_with_me(request.context, cursor=theirs),
    )
    return render_page(
        request,
        "library/home.html",
        own=[_own(one) for one in own.items],
        shared=[_theirs(one) for one in shared.items],
        cursor=own.cursor,
        theirs=shared.cursor,
        is_first=cursor is None,
        form=form,
        longest=names.MAX_LIBRARY_NAME,
        longest_description=names.MAX_LIBRARY_DESCRIPTION,
    )


@pages.form(addresses.ROOM, Need.NOT_ACTING, on=home, flash="library-made")
async def make_library(ctx: Ctx, data: LibraryForm) -> str:
    """Makes a library."""
    made = await libraries.create_library(ctx, name=data.library_name, description=data.description)
    return addresses.library(made.library_id)


@pages.page(addresses.ADD_SOMEWHERE, Need.NOT_ACTING)
async def choose_library(request: Request, cursor: Cursor = None) -> Response[Any]:
    """To which library is something added? One request; where there is one, it is that."""
    own = await libraries.my_libraries(request.context, cursor=cursor)
    if not own.items and cursor is None:
        return redirect(addresses.add(addresses.FIRST))
    if len(own.items) == 1 and cursor is own.cursor is None:
        return redirect(addresses.add(own.items[0].library_id))
    tiles = [_own(one) for one in own.items]
    return render_page(request, "library/choose.html", own=tiles, cursor=own.cursor)


@pages.page(addresses.SETTINGS, Need.NOT_ACTING)
async def settings(
    request: Request,
    library_id: str,
    form: FormState | None = None,
    share_form: FormState = EMPTY,
    delete_form: FormState = EMPTY,
) -> Response[Any]:
    """Everything that its owner can change: one request."""
    library = (await own_library(request.context, library_id)).library
    return render_page(request, **_settings_context(library, form, share_form, delete_form))


@pages.form(addresses.SETTINGS, Need.NOT_ACTING, on=settings)
@merged_anew
async def save_settings(
    request: Request, ctx: Ctx, library_id: str, data: LibraryForm
) -> Response[Any]:
    """Saves name and description; what others saved meanwhile is not lost."""
    library = (await own_library(ctx, library_id)).library
    change = merge_form(structs.asdict(data), data.base, _stored_values(library))
    if change.is_stale:
        context = _settings_context(library, stale_form(change)) | {"theirs": change.theirs}
        return render_page(request, error=changed_meanwhile(), **context)
    fields = {"name" if one == "library_name" else one for one in change.mine}
    given = only(fields, {"name": data.library_name, "description": data.description})
    await libraries.change_library(ctx, library_id, **given, version=library.version)
    return redirect(addresses.settings(library_id), "library-saved")


@pages.form(
    f"{addresses.LIBRARY}/share",
    Need.NOT_ACTING,
    on=settings,
    slot="share_form",
    leads_to=SHARES,
    flash="library-shared",
)
async def share(request: Request, ctx: Ctx, library_id: str, data: ShareForm) -> None:
    """Shares the library."""
    await libraries.share(ctx, library_id, data.email, asked_from=request.client_address)


@pages.form(
    f"{addresses.LIBRARY}/unshare",
    Need.NOT_ACTING,
    on=settings,
    leads_to=SHARES,
    flash="library-unshared",
)
async def unshare(ctx: Ctx, library_id: str, data: UnshareForm) -> None:
    """Ends a share."""
    await libraries.unshare(ctx, library_id, data.recipient_id)


@pages.form(
    f"{addresses.LIBRARY}/leave",
    Need.NOT_ACTING,
    on=addresses.LIBRARY,
    leads_to=addresses.ROOM,
    flash="library-left",
)
async def leave(ctx: Ctx, library_id: str) -> None:
    """Ends a share for its recipient."""
    await libraries.leave(ctx, library_id)


@pages.form(
    f"{addresses.LIBRARY}/delete",
    Need.NOT_ACTING,
    on=settings,
    slot="delete_form",
    leads_to=addresses.ROOM,
    flash="library-deleted",
)
async def delete_library(ctx: Ctx, library_id: str, data: DeleteLibraryForm) -> None:
    """Deletes it with everything in it; the page says first what goes."""
    await libraries.delete_library(ctx, library_id, force=data.force)


def _own(library: Library) -> Tile:
    return Tile(
        library.library_id,
        library.library_name,
        library.description,
        library.total_items,
        library.lent_items,
    )


def _theirs(pointer: SharedLibrary) -> Tile:
    name = pointer.library_name or ""
    return Tile(pointer.library_id, name, is_mine=False, owner=pointer.shared_from_name)


def _settings_context(
    library: Library,
    form: FormState | None,
    share_form: FormState = EMPTY,
    delete_form: FormState = EMPTY,
) -> dict[str, Any]:
    # Whatever is wrong with a share is wrong with the address: there is no other field.
    if share_form.form_error:
        share_form = FormState(share_form.values, {"email": share_form.form_error})
    return {
        "template": "library/settings.html",
        "library": library,
        "recipients": list(zip(library.shared_to_ids, library.shared_to, strict=False)),
        "form": form or filled_form(_stored_values(library)),
        "theirs": {},
        "share_form": share_form,
        "delete_form": delete_form,
        "longest": names.MAX_LIBRARY_NAME,
        "longest_description": names.MAX_LIBRARY_DESCRIPTION,
        "most": names.MAX_SHARES,
    }


def _stored_values(library: Library) -> dict[str, str]:
    return {"library_name": library.library_name, "description": library.description or ""}
