"""An item's page: what is known of it, what stands beside it, and who has it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from litestar import Response
from msgspec import Struct

from commonroom.library.pages import addresses
from commonroom.library.pages.cards import ItemCard, card_of
from commonroom.library.pages.loan_cards import loan_of
from commonroom.library.pages.page import may_change, render_page
from commonroom.library.rules.shelves import Entry
from commonroom.library.service.access import LibraryAccess, hide_private, item_in, readable_library
from commonroom.library.service.item_writes import same_works
from commonroom.library.service.items import delete_item
from commonroom.library.service.shelves import see_neighbours
from commonroom.library.tables import Book, Collection, Video
from commonroom.store import Store
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import EMPTY, Filled, Form, form, handlers, page
from commonroom.web.request import Request


class DeleteForm(Form):
    """That it goes, whoever has it."""

    force: bool = False


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


@page(addresses.ITEM, Need.SIGNED_IN)
async def item(
    request: Request, library_id: str, item_id: str, form: Filled = EMPTY
) -> Response[Any]:
    """An item as whoever asks may see it: four requests, one with a code, one with a collection."""
    store = request.store
    access = await readable_library(request.context, library_id)
    found = await item_in(store, access.library, item_id)
    thing = hide_private(access, found)
    neighbours, same, collection = await asyncio.gather(
        see_neighbours(store, access, thing), _same(store, access, found), _collection(store, found)
    )
    return render_page(
        request,
        "library/item.html",
        access=access,
        library=access.library,
        may=may_change(request, access),
        card=card_of(thing, request, "large"),
        loan=loan_of(thing, request.now, request.person),
        collection=collection,
        before=None if neighbours.before is None else card_of(neighbours.before),
        after=None if neighbours.after is None else card_of(neighbours.after),
        neighbours=_neighbours(request, neighbours.entries, found),
        same=[card_of(one) for one in same],
        form=form,
    )


@form(
    f"{addresses.ITEM}/delete",
    Need.THEMSELVES,
    on=item,
    leads_to="/library/{library_id}",
    flash="item-deleted",
)
async def delete(ctx: Ctx, library_id: str, item_id: str, data: DeleteForm) -> None:
    """Takes an item off the shelf; the page asks again where somebody has it."""
    await delete_item(ctx, library_id, item_id, force=data.force)


async def _same(store: Store, access: LibraryAccess, found: Book | Video) -> list[Book | Video]:
    """Others that are the same work: that there are two is the owner's to mend."""
    return await same_works(store, found) if access.is_owner else []


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


HANDLERS = handlers(item, delete)
