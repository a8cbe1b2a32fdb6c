"""The room's home: one's own libraries, those that others share, and making one."""

from __future__ import annotations

import asyncio
from typing import Any
from zlib import crc32

from litestar import Response
from msgspec import Struct

from commonroom.library.pages import addresses
from commonroom.library.pages.cards import TONES
from commonroom.library.pages.page import render_page
from commonroom.library.rules import names
from commonroom.library.service.libraries import create_library, my_libraries, shared_with_me
from commonroom.library.tables import Library, SharedLibrary
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import EMPTY, Filled, Form, Line, form, handlers, page
from commonroom.web.request import Cursor, Request

SPINES = 14
"""How many books are drawn on a library's tile."""


class LibraryForm(Form):
    """What a library is called."""

    library_name: Line
    description: Line = ""
    base: Line = ""
    """What it was filled with (`pages.merge`); empty for a new one."""


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
    """Whose it is, as far as that is known, where it is somebody else's."""

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


@page(addresses.ROOM, Need.SIGNED_IN)
async def home(
    request: Request, cursor: Cursor = None, theirs: Cursor = None, form: Filled = EMPTY
) -> Response[Any]:
    """One's own libraries and those of others: two requests."""
    own, shared = await asyncio.gather(
        my_libraries(request.context, cursor=cursor), shared_with_me(request.context, cursor=theirs)
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
        longest=names.LONGEST_LIBRARY_NAME,
        longest_description=names.LONGEST_LIBRARY_DESCRIPTION,
    )


@form(addresses.ROOM, Need.THEMSELVES, on=home, flash="library-made")
async def make_library(ctx: Ctx, data: LibraryForm) -> str:
    """Makes a library."""
    made = await create_library(ctx, name=data.library_name, description=data.description)
    return addresses.library(made.library_id)


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


HANDLERS = handlers(home, make_library)
