"""Items: added, changed, deleted; every count changes in the same transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import (
    Conflict,
    InvalidField,
    NeedsConfirmation,
    NotFound,
    PreconditionFailed,
)
from commonroom.library.rules import items as rules
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import (
    LibraryAccess,
    Owned,
    hide_private,
    item_in,
    own_item,
    own_library,
    readable_library,
    retry,
)
from commonroom.library.service.item_writes import (
    clear_history_later,
    code_changes,
    code_deletes,
    code_writes,
    history_moved,
    loan_deletes,
    next_search_version,
    same_works,
    search_version_changes,
)
from commonroom.library.service.shelves import CollectionSlot, change_place, leave_place, take_place
from commonroom.library.tables import Book, Library, Order, Video
from commonroom.moments import iso
from commonroom.store import Store, Write, add, create, delete, equal, update


class VisibleItem(Struct, frozen=True):
    """An item as the caller may see it, and their access."""

    access: LibraryAccess
    item: Book | Video


class SavedItem(Struct, frozen=True):
    """An item as it was kept, and others in the library that are the same work."""

    item: Book | Video
    same: list[Book | Video]


class ItemOrigin(Struct, frozen=True):
    """What an item from elsewhere brings along: its id, its loan, and what is written with it."""

    item_id: str
    fields: Mapping[str, Any] = {}
    writes: Callable[[Book | Video], list[Write]] = lambda _: []


class NewLibraryItem(Struct, frozen=True):
    """An item that can be put on the shelf: its own fields as they are kept, and its place."""

    kind: type[Book | Video]
    fields: Mapping[str, Any]
    collection_id: str | None
    order: Order | None
    origin: ItemOrigin


async def add_item(
    ctx: Context, library_id: str, *, kind: type[Book | Video], given: Mapping[str, Any]
) -> SavedItem:
    """Creates a book or video, by itself or in a collection (`collection_id`, `order`)."""
    item = await create_item(ctx, library_id, kind=kind, given=given)
    return SavedItem(item, await same_works(ctx.store, item))


async def add_item_once(
    ctx: Context,
    library: Library,
    item_id: str,
    *,
    kind: type[Book | Video],
    given: Mapping[str, Any],
) -> SavedItem:
    """Adds an item under this id; done twice, it gives what the first time has put there."""
    try:
        item = await item_in(ctx.store, library, item_id)
    except NotFound:
        origin = ItemOrigin(item_id)
        try:
            item = await create_item(ctx, library.library_id, kind=kind, given=given, origin=origin)
        except Conflict as error:
            try:
                item = await item_in(ctx.store, library, item_id)
            except NotFound:
                raise error from None
    return SavedItem(item, await same_works(ctx.store, item))


async def create_item(
    ctx: Context,
    library_id: str,
    *,
    kind: type[Book | Video],
    given: Mapping[str, Any],
    origin: ItemOrigin | None = None,
) -> Book | Video:
    """Puts a new item on the shelf, without looking whether it is there already."""
    one = new_item(kind, given, origin or ItemOrigin(new_id()))
    rules.check_days(one.fields, ctx.now)
    (item,) = await create_items(ctx, library_id, [one])
    return item


def new_item(
    kind: type[Book | Video], given: Mapping[str, Any], origin: ItemOrigin
) -> NewLibraryItem:
    """Returns what was given of a new item, if it can be taken."""
    fields, collection_id, order = _split_place(kind, {"title": None, **given})
    if order is not None and collection_id is None:
        raise _needs_collection()
    return NewLibraryItem(kind, fields, collection_id, order, origin)


@retry
async def create_items(
    ctx: Context,
    library_id: str,
    new_items: Sequence[NewLibraryItem],
    *,
    beside: Sequence[Write] = (),
) -> list[Book | Video]:
    """Puts new items on the shelf in one transaction, with whatever is written beside them."""
    owned = await own_library(ctx, library_id)
    places: dict[str, CollectionSlot] = {}
    items = [await _build_item(ctx.store, ctx.now, owned, one, places) for one in new_items]
    lent = sum(item.lent_to is not None for item in items)
    await ctx.store.write(
        *(create(item) for item in items),
        count_items(ctx.now, owned.library, len(items), lent),
        owned.same_owner,
        *(place.taken for place in places.values()),
        *(write for item in items for write in code_writes(item)),
        *(
            write
            for one, item in zip(new_items, items, strict=True)
            for write in one.origin.writes(item)
        ),
        *beside,
    )
    return items


@retry
async def change_item(
    ctx: Context,
    library_id: str,
    item_id: str,
    *,
    given: Mapping[str, Any],
    version: int | None = None,
) -> SavedItem:
    """Changes what is given and leaves the rest; `collection_id` None takes it out of its own."""
    owned, item = await own_item(ctx, library_id, item_id)
    if version not in (None, item.version):
        raise PreconditionFailed("The item was changed since you opened it.")
    changes, _, order = _split_place(type(item), given)
    rules.check_days(changes, ctx.now)
    placed, writes = await _change_place(ctx.store, owned.library, item, {**given, "order": order})
    changes |= placed | {"updated_at": iso(ctx.now)}
    after = replace(item, **changes, version=item.version + 1)
    await ctx.store.write(
        update(item, **changes),
        *code_changes(item, after),
        *search_version_changes(ctx.now, owned.library, item, after),
        *writes,
    )
    return SavedItem(after, await same_works(ctx.store, after))


@retry
async def delete_item(ctx: Context, library_id: str, item_id: str, *, force: bool = False) -> None:
    """Deletes an item with its history; one that is lent goes only with `force`."""
    owned, item = await own_item(ctx, library_id, item_id)
    if item.lent_to is not None and not force:
        raise NeedsConfirmation(
            f"It is lent to {item.lent_to}. Confirm to delete it anyway.",
            lent_to=item.lent_to,
            due_date=item.due_date,
        )
    await ctx.store.write(
        delete(item, if_=equal(version=item.version, moved_from=item.moved_from)),
        count_items(ctx.now, owned.library, -1, 0 if item.lent_to is None else -1),
        *code_deletes(item),
        *await leave_place(ctx.store, item),
        *loan_deletes(item),
        *clear_history_later(ctx.now, item),
        *history_moved(item),
    )


async def see_item(ctx: Context, library_id: str, item_id: str) -> VisibleItem:
    """Returns an item as a person may see it: two requests, or three."""
    access = await readable_library(ctx, library_id)
    item = await item_in(ctx.store, access.library, item_id)
    return VisibleItem(access, hide_private(access, item))


def count_items(now: float, library: Library, items: int, lent: int = 0) -> Write:
    """That a library, under the name that is copied from it, has so many more items."""
    changes = {"lent_items": add(lent)} if lent else {}
    still = equal(library_name=library.library_name)
    changes |= {"total_items": add(items), **next_search_version(now)}
    return update(library.ref, **changes, if_=still)


def _split_place(
    kind: type[Book | Video], given: Mapping[str, Any]
) -> tuple[dict[str, Any], str | None, Order | None]:
    """Returns an item's own fields as they are kept, and where it is to stand."""
    rest = dict(given)
    collection_id, order = rest.pop("collection_id", None), rest.pop("order", None)
    return rules.fit(kind, rest), collection_id, rules.place(order)


async def _build_item(
    store: Store, now: float, owned: Owned, new: NewLibraryItem, places: dict[str, CollectionSlot]
) -> Book | Video:
    """Returns a new item as it is stored, beside those that take places in the same transaction."""
    library, fields = owned.library, dict(new.fields)
    if new.collection_id is not None:
        beside = places.get(new.collection_id)
        place = await take_place(store, library, new.collection_id, new.order, beside=beside)
        places[new.collection_id] = place
        fields |= {"collection_name": place.collection.name, "order": place.order}
    return new.kind(
        **fields,
        collection_id=new.collection_id,
        owner_id=library.owner_id,
        library_id=library.library_id,
        item_id=new.origin.item_id,
        account_id=library.account_id,
        library_name=library.library_name,
        owner_name=owned.owner.display_name,
        created_at=iso(now),
        updated_at=iso(now),
        **new.origin.fields,
    )


async def _change_place(
    store: Store, library: Library, item: Book | Video, given: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Write]]:
    """Returns where a change puts an item, and what has to be written with that."""
    collection_id = given.get("collection_id", item.collection_id)
    order = given.get("order")
    if collection_id is None:
        if order is not None:
            raise _needs_collection()
        return (rules.ALONE, await leave_place(store, item)) if item.collection_id else ({}, [])
    if collection_id == item.collection_id:
        return ({"order": order}, await change_place(store, item, order)) if order else ({}, [])
    place = await take_place(store, library, collection_id, order)
    fields = {
        "collection_id": collection_id,
        "collection_name": place.collection.name,
        "order": place.order,
    }
    return fields, [place.taken, *await leave_place(store, item)]


def _needs_collection() -> InvalidField:
    return InvalidField(
        "order", "Choose a collection first: only items in a collection have a number."
    )
