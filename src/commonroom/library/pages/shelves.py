"""A library's shelf: items and collections in one alphabet, as covers or as a list."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.headers import cookie_in
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Cookie, Response
from commonroom.library.pages import addresses
from commonroom.library.pages.addresses import current_page
from commonroom.library.pages.cards import LibraryItemCard, card_of, tone_of
from commonroom.library.pages.page import may_change, render_page
from commonroom.library.rules.shelves import ShelfRun
from commonroom.library.service.shelves import see_shelf

PAGE = 48
"""Rows of two, three, four and six covers come out even."""
LOOK = "shelf"
"""The cookie of readers who prefer lists."""
LOOKS = ("covers", "list")
YEAR = 365 * 86400

Look = Annotated[str, Meta(max_length=10)]
Letter = Annotated[str, Meta(max_length=1)]


pages = Pages()


class ShelfRunCard(Struct, frozen=True, kw_only=True):
    """What stands together on the shelf: a collection with its members, or one item alone."""

    cards: list[LibraryItemCard]
    is_collection: bool = False
    name: str | None = None
    """The collection's."""
    count: int = 0
    """How many are in the collection; of one that is being dissolved, those that are here."""
    tone: int = 0
    """The colour of the collection's case."""
    address: str = ""
    """The collection's page."""
    continued: bool = False
    """Whether the collection began on a page before."""


@pages.page(addresses.LIBRARY, Need.SIGNED_IN)
async def shelf(
    request: Request, library_id: str, cursor: Cursor = None, letter: Letter = "", look: Look = ""
) -> Response[Any]:
    """A part of the shelf: two requests, and one more for a share."""
    seen = await see_shelf(
        request.context, library_id, limit=PAGE, cursor=cursor, start=letter or None
    )
    library = seen.access.library
    is_first = cursor is None and not letter
    # As asked for now, as chosen before, or as covers.
    asked = (look, cookie_in(request.scope, LOOK))
    shown_as = next((one for one in asked if one in LOOKS), LOOKS[0])
    groups = [
        _group(request, library_id, one, continued=number == 0 and one.continued and not is_first)
        for number, one in enumerate(seen.groups)
    ]
    answer = render_page(
        request,
        "library/shelf.html",
        library=library,
        is_owner=seen.access.is_owner,
        may=may_change(request, seen.access),
        groups=groups,
        goes_on=groups[-1].name if groups and seen.groups[-1].continues else None,
        cursor=seen.cursor,
        is_first=is_first,
        letter=letter.lower(),
        letters=ascii_lowercase,
        look=shown_as,
        came_from=current_page(request),
    )
    if look in LOOKS:
        answer.set_cookie(Cookie(LOOK, look, path=addresses.ROOM, max_age=YEAR))
    return answer


def _group(request: Request, library_id: str, group: ShelfRun, *, continued: bool) -> ShelfRunCard:
    cards = [card_of(one, request) for one in group.items]
    if group.collection_id is None:
        return ShelfRunCard(cards=cards)
    there = group.collection
    return ShelfRunCard(
        cards=cards,
        is_collection=True,
        name=group.name,
        count=len(cards) if there is None else there.item_count,
        tone=tone_of(group.collection_id),
        address=addresses.collection(library_id, group.collection_id),
        continued=continued,
    )
