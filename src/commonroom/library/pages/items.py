"""An item's page: what is known of it, what stands beside it, and who has it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import ItemCard, card_of
from commonroom.library.pages.loan_cards import loan_of
from commonroom.library.pages.page import may_change, reach_in, render_page, render_refused_page
from commonroom.library.rules.shelves import Entry
from commonroom.library.service.access import LibraryAccess, hide_private, item_in
from commonroom.library.service.item_writes import same_works
from commonroom.library.service.shelves import see_neighbours
from commonroom.library.tables import Book, Collection, Video
from commonroom.store import Store
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.request import Request

TEMPLATE = "library/item.html"


class Neighbour(Struct, frozen=True):
    """Something on the shelf beside an item."""

    card: ItemCard | None
    collection: Collection | None
    is_here: bool = False

    @property
    def address(self) -> str:
        """Its page."""
        if self.collection is not None:
            return addresses.collection(self.collection.library_id, self.collection.collection_id)
        return "" if self.card is None else self.card.address


@get(addresses.ITEM, opt=needs(Need.SIGNED_IN))
async def item(
    request: Request, library_id: FromPath[str], item_id: FromPath[str]
) -> Response[Any]:
    """An item as whoever asks may see it."""
    reach = await reach_in(request, library_id)
    found = await item_in(request.store, reach.library, item_id)
    return render_page(request, TEMPLATE, **await item_context(request, reach, found))


async def show_refusal(
    request: Request, library_id: str, item_id: str, refusal: CommonroomError
) -> Response[Any]:
    """An item's page, and why something could not be done."""
    reach = await reach_in(request, library_id)
    found = await item_in(request.store, reach.library, item_id)
    context = await item_context(request, reach, found, Filled(wrong_altogether=refusal.detail))
    return render_refused_page(request, TEMPLATE, refusal, **context)


async def item_context(
    request: Request, reach: LibraryAccess, found: Book | Video, form: Filled = EMPTY
) -> dict[str, Any]:
    """What an item's page shows: two requests, one with a code, and one with a collection."""
    store, thing = request.store, hide_private(reach, found)
    beside, same, collection = await asyncio.gather(
        see_neighbours(store, reach, thing),
        _same(store, reach, found),
        _collection(store, found),
    )
    return {
        "reach": reach,
        "library": reach.library,
        "may": may_change(request, reach),
        "card": card_of(thing, request, "large"),
        "loan": loan_of(thing, time.time(), request.person),
        "collection": collection,
        "before": None if beside.before is None else card_of(beside.before),
        "after": None if beside.after is None else card_of(beside.after),
        "neighbours": _neighbours(request, beside.entries, found),
        "same": [card_of(one) for one in same],
        "form": form,
    }


async def _same(store: Store, reach: LibraryAccess, found: Book | Video) -> list[Book | Video]:
    """Others that are the same work: that there are two is the owner's to mend."""
    return await same_works(store, found) if reach.is_owner else []


async def _collection(store: Store, found: Book | Video) -> Collection | None:
    if found.collection_id is None:
        return None
    place = {"owner_id": found.owner_id, "library_id": found.library_id}
    return await store.get(Collection.at(**place, collection_id=found.collection_id))


def _neighbours(request: Request, entries: Sequence[Entry], found: Book | Video) -> list[Neighbour]:
    return [
        Neighbour(None, one)
        if isinstance(one, Collection)
        else Neighbour(card_of(one, request), None, is_here=one.item_id == found.item_id)
        for one in entries
    ]


HANDLERS = [item]
