"""A library's shelf: items and collections in one alphabet, as covers or as a list."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Annotated, Any

from litestar import Response
from litestar.params import QueryParameter
from msgspec import Struct

from commonroom.library.pages import addresses
from commonroom.library.pages.addresses import current_page
from commonroom.library.pages.cards import ItemCard, card_of, tone_of
from commonroom.library.pages.page import may_change, render_page
from commonroom.library.rules.shelves import Group
from commonroom.library.service.shelves import see_shelf
from commonroom.web.access import Need
from commonroom.web.forms import handlers, page
from commonroom.web.request import Cursor, Request

PAGE = 48
"""Rows of two, three, four and six covers come out even."""
LOOK = "shelf"
"""The cookie of whoever likes lists better."""
LOOKS = ("covers", "list")
YEAR = 365 * 86400

Look = Annotated[str, QueryParameter(max_length=10)]
Letter = Annotated[str, QueryParameter(max_length=1)]


class ShelfGroup(Struct, frozen=True):
    """What stands together on the shelf: a collection with its members, or one item alone."""

    group: Group
    library_id: str
    cards: list[ItemCard]
    continued: bool = False
    """Whether the collection began on a page before."""

    @property
    def is_collection(self) -> bool:
        """Whether it is a collection."""
        return self.group.collection_id is not None

    @property
    def name(self) -> str | None:
        """The collection's."""
        return self.group.name

    @property
    def count(self) -> int:
        """How many are in the collection; of one that is being dissolved, those that are here."""
        there = self.group.collection
        return len(self.cards) if there is None else there.item_count

    @property
    def tone(self) -> int:
        """The colour of the collection's case."""
        return tone_of(self.group.collection_id or "")

    @property
    def address(self) -> str:
        """The collection's page."""
        return addresses.collection(self.library_id, self.group.collection_id or "")


@page(addresses.LIBRARY, Need.SIGNED_IN)
async def shelf(
    request: Request, library_id: str, cursor: Cursor = None, letter: Letter = "", look: Look = ""
) -> Response[Any]:
    """A part of the shelf: two requests, and one more for a share."""
    seen = await see_shelf(
        request.context, library_id, limit=PAGE, cursor=cursor, start=letter or None
    )
    library = seen.access.library
    chosen = _look(look, request.cookies.get(LOOK))
    is_first = cursor is None and not letter
    groups = [
        ShelfGroup(
            one,
            library_id,
            [card_of(item, request) for item in one.items],
            continued=number == 0 and one.continued and not is_first,
        )
        for number, one in enumerate(seen.groups)
    ]
    answer = render_page(
        request,
        "library/shelf.html",
        library=library,
        is_owner=seen.access.is_owner,
        may=may_change(request, seen.access),
        groups=groups,
        goes_on=groups[-1].name if groups and groups[-1].group.continues else None,
        cursor=seen.cursor,
        is_first=is_first,
        letter=letter.lower(),
        letters=ascii_lowercase,
        look=chosen,
        came_from=current_page(request),
    )
    if look in LOOKS:
        answer.set_cookie(LOOK, look, path=addresses.ROOM, max_age=YEAR, samesite="lax")
    return answer


def _look(asked: str, remembered: str | None) -> str:
    """How the shelf is shown: as asked for now, as chosen before, or as covers."""
    return next((one for one in (asked, remembered) if one in LOOKS), LOOKS[0])


HANDLERS = handlers(shelf)
