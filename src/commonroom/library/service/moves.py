"""Moving an item to another library of its owner, and its history after it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import InvalidField
from commonroom.library.rules.items import place as fitting_place
from commonroom.library.service.access import Owned, own_item, own_library, retry
from commonroom.library.service.item_writes import (
    carry_history_later,
    code_deletes,
    code_writes,
    history_moved,
    loan_writes,
)
from commonroom.library.service.items import count_items
from commonroom.library.service.shelves import CollectionSlot, leave_place, take_place
from commonroom.library.tables import Book, Order, Video, history
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Store, check, delete, equal, move, put, stored, update

EVENTS = 45
"""How many events are carried at a time: each is deleted and put, all in one transaction."""


@retry
async def move_item(
    ctx: Context,
    library_id: str,
    item_id: str,
    *,
    to: str,
    collection_id: str | None = None,
    order: Order | None = None,
) -> Book | Video:
    """Moves an item, lent or not, between a person's own libraries, with its history."""
    if to == library_id:
        raise InvalidField("to", "It is already in this library.")
    if order is not None and collection_id is None:
        raise InvalidField(
            "order", "Choose a collection first: only items in a collection have a number."
        )
    wanted = fitting_place(order)
    old, found = await own_item(ctx, library_id, item_id)
    new = await own_library(ctx, to)
    there = await finish_move(ctx.store, found)
    place = None
    if collection_id is not None:
        place = await take_place(ctx.store, new.library, collection_id, wanted)
    changes = _moved_fields(ctx.now, there, new, place)
    moved = replace(there, **changes)
    lent = 0 if there.lent_to is None else 1
    await ctx.store.write(
        *move(there, **changes),
        count_items(ctx.now, old.library, -1, -lent),
        count_items(ctx.now, new.library, 1, lent),
        new.same_owner,
        *([] if place is None else [place.taken]),
        *await leave_place(ctx.store, there),
        *code_deletes(there),
        *code_writes(moved),
        *loan_writes(moved),
        *carry_history_later(ctx.now, moved),
    )
    return await finish_move(ctx.store, moved)


async def carry_history(store: Store, moved: Book | Video) -> None:
    """Carries what is left of an item's history in the library that it came from.

    Any number may do so at once, and any run can go on where another was interrupted.
    """
    if moved.moved_from is None:
        return
    key = {"owner_id": moved.owner_id, "item_id": moved.item_id}
    still = equal(moved_from=moved.moved_from)
    left = history(**key, library_id=moved.moved_from)
    with suppress(ConditionFailed):  # another run carried it, or the item is gone
        while events := (await store.page(left, limit=EVENTS)).items:
            carried = [replace(one, library_id=moved.library_id) for one in events]
            await store.write(
                check(moved, if_=still),
                *(delete(one, if_=stored) for one in events),
                *(put(one) for one in carried),
            )
        done = update(moved.ref, moved_from=None, if_=still)
        await store.write(done, *history_moved(moved))


async def finish_move(store: Store, there: Book | Video) -> Book | Video:
    """Returns an item once its history is where it is itself."""
    if there.moved_from is None:
        return there
    await carry_history(store, there)
    return replace(there, moved_from=None)


def _moved_fields(
    now: float, there: Book | Video, new: Owned, place: CollectionSlot | None
) -> dict[str, Any]:
    """Returns what changes of an item that comes to another library."""
    return {
        "library_id": new.library.library_id,
        "library_name": new.library.library_name,
        "owner_name": new.owner.display_name,
        "collection_id": None if place is None else place.collection.collection_id,
        "collection_name": None if place is None else place.collection.name,
        "order": None if place is None else place.order,
        "moved_from": there.library_id,
        "updated_at": iso(now),
        "version": there.version + 1,
    }
