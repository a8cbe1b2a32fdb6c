"""Each thing that can drift, broken by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from commonroom.library.rules.names import new_id
from commonroom.library.tables import ItemCode, MovedItem
from commonroom.store import delete
from tests.library.checks.example import House, parts_of, place_of

Break: TypeAlias = Callable[[House], Awaitable[Any]]


async def items_of_library(house: House) -> None:
    """A library counts wrong."""
    await house.load(house.home, TotalItems=7)


async def lent_items_of_library(house: House) -> None:
    """A library counts its loans wrong."""
    await house.load(house.home, LentItems=0)


async def no_counts_at_all(house: House) -> None:
    """A library from elsewhere does not count."""
    await house.load(house.home, TotalItems=None, LentItems=None, Version=None)


async def items_of_collection(house: House) -> None:
    """A collection counts wrong."""
    await house.load(house.amber, ItemCount=0)


async def last_place_of_collection(house: House) -> None:
    """A collection does not know its last place."""
    await house.load(house.amber, LastOrder=None)


async def copied_names(house: House) -> None:
    """An item has old names, and keys of them."""
    await house.load(replace(house.book, collection_name="Bernstein"))


async def sort_key(house: House) -> None:
    """An item stands at a wrong place."""
    await house.load(house.video, GSI1SK="item#zzz")


async def item_without_library(house: House) -> None:
    """A book, of which there is a code, was left over."""
    lost = replace(house.book, library_id=new_id(), item_id=new_id(), collection_id=None)
    lost = replace(lost, collection_name=None, order=None, borrower_id=None)
    await house.load(lost, ItemCode(**place_of(lost), code=house.code.code))


async def item_without_collection(house: House) -> None:
    """A video is in a collection that is not there."""
    lost = replace(house.video, collection_id=new_id(), collection_name="Gone", order=4)
    await house.load(lost)


async def place_without_collection(house: House) -> None:
    """A video has a place in no collection."""
    await house.load(replace(house.video, order=4))


async def item_of_another_account(house: House) -> None:
    """A video says that it is somebody else's."""
    await house.load(replace(house.video, account_id=house.ben.user_id, owner_name="Ben"))


async def event_without_item(house: House) -> None:
    """An event was left over."""
    (event, *_) = await house.events()
    await house.load(replace(event, item_id=new_id()))


async def collection_without_library(house: House) -> None:
    """A collection and its claim were left over."""
    lost = {"library_id": new_id()}
    await house.load(replace(house.amber, **lost), replace(house.claim, **lost))


async def claim_without_collection(house: House) -> None:
    """A name is kept for nobody."""
    await house.load(replace(house.claim, name="Bernstein", collection_id=new_id()))


async def claim_of_an_old_name(house: House) -> None:
    """A name is reserved for a collection that has another."""
    await house.load(replace(house.claim, name="Bernstein"))


async def collection_without_claim(house: House) -> None:
    """A name is not kept."""
    await house.store.write(delete(house.claim))


async def claim_by_nobody(house: House) -> None:
    """A name is reserved for a collection that is not there."""
    await house.load(replace(house.claim, collection_id=new_id()))


async def claim_in_other_letters(house: House) -> None:
    """A name is kept as it was written before."""
    await house.load(replace(house.claim, name="AMBER"))


async def pointer_without_library(house: House) -> None:
    """A pointer was left over."""
    await house.load(replace(await house.pointer(), library_id=new_id()))


async def pointer_that_is_not_listed(house: House) -> None:
    """A pointer leads to a library that is not shared."""
    at = {"library_id": house.attic.library_id, "library_name": house.attic.library_name}
    await house.load(replace(await house.pointer(), **at))


async def share_without_pointer(house: House) -> None:
    """Ben does not find what is shared with him."""
    await house.store.write(delete(await house.pointer()))


async def share_with_nobody(house: House) -> None:
    """A library is shared with somebody who is gone."""
    more = {"SharedTo": ["old@example.org"], "SharedToIds": ["GONE"]}
    await house.load(house.attic, **more)


async def lists_that_differ(house: House) -> None:
    """A library has more addresses than people."""
    await house.load(house.home, SharedTo=["ben@example.org", "eve@example.org"])


async def addresses_alone(house: House) -> None:
    """A library says whom it is shared with by their addresses alone."""
    await house.load(house.home, SharedToIds=None)
    await house.load(await house.pointer(), SharedToEmail=None)


async def pointer_of_another_owner(house: House) -> None:
    """A pointer names the wrong owner."""
    pointer = await house.pointer()
    other = {"shared_from_account_id": house.ben.user_id, "shared_from_name": "Ben"}
    await house.load(replace(pointer, **other))


async def no_code(house: House) -> None:
    """A book is not found by its ISBN."""
    await house.store.write(delete(house.code))


async def code_of_nothing(house: House) -> None:
    """A code was left over."""
    await house.load(replace(house.code, item_id=new_id()))


async def code_of_something_else(house: House) -> None:
    """A code is not the item's."""
    await house.load(replace(house.code, code="isbn-9780140449136"))


async def loan_without_pointer(house: House) -> None:
    """Ben does not find what he borrowed."""
    await house.store.write(delete(house.borrowed))


async def pointer_to_where_it_was(house: House) -> None:
    """Ben looks for the book where it was before."""
    await house.load(replace(house.borrowed, library_id=house.attic.library_id))


async def pointer_without_loan(house: House) -> None:
    """Ben is led to something that he does not have."""
    await house.load(replace(house.borrowed, item_id=house.video.item_id))


async def pointer_without_item(house: House) -> None:
    """Ben is led to something that is not there."""
    await house.load(replace(house.borrowed, item_id=new_id()))


async def loan_to_nobody(house: House) -> None:
    """Something is lent to an account that is gone."""
    gone = replace(house.borrowed, borrower_id="GONE")
    await house.store.write(delete(house.borrowed))
    await house.load(replace(house.book, borrower_id="gone"), gone)


async def moved_from_nowhere(house: House) -> None:
    """A library says that an item left it, which it did not."""
    left = MovedItem(
        owner_id=house.home.owner_id,
        library_id=house.attic.library_id,
        item_id=house.video.item_id,
        moved_to=house.home.library_id,
    )
    await house.load(left)


async def history_that_nobody_carries(house: House) -> None:
    """A book waits for its history, which is still where it was."""
    events = await house.events()
    await house.store.write(*map(delete, events))
    away = {"library_id": house.attic.library_id}
    await house.load(*(replace(one, **away) for one in events))
    await house.load(replace(house.book, moved_from=house.attic.library_id))


async def import_without_library(house: House) -> None:
    """A file waits for a library that is gone."""
    await house.load(replace(house.shipment("ready"), library_id=new_id()))


async def parts_without_import(house: House) -> None:
    """Rows of a file, and what there was to say of it, were left over."""
    await house.load(*parts_of(house.shipment("ready")))


BREAKS: dict[Break, tuple[str, str]] = {
    items_of_library: ("counts", "says 7 items, 1 of them lent, but it has 3, 1"),
    lent_items_of_library: ("counts", "3 items, 0 of them lent, but it has 3, 1 of them lent"),
    no_counts_at_all: ("counts", "says 0 items, 0 of them lent, but it has 3, 1 of them lent"),
    items_of_collection: ("counts", "says 0 items, the last at place 2, but it has 2"),
    last_place_of_collection: ("counts", "the last at place 0, but it has 2, the last at place 2"),
    copied_names: ("copies", "collection_name is 'Bernstein' and Collection says 'Amber'"),
    sort_key: ("keys", "GSI1SK should be 'item#alien'"),
    item_without_library: ("orphans", "The library of “Nine” was deleted."),
    item_without_collection: ("orphans", "Its collection “Gone” was deleted."),
    place_without_collection: ("orphans", "It has the number 4, but no collection."),
    item_of_another_account: ("orphans", "belongs to another account than its library"),
    event_without_item: ("orphans", "belongs to an item that was deleted"),
    collection_without_library: ("orphans", "The library of the collection “Amber” was deleted."),
    claim_without_collection: (
        "names",
        "“Bernstein” is reserved for a collection that does not have",
    ),
    claim_of_an_old_name: (
        "names",
        "“Bernstein” is reserved for a collection that does not have it",
    ),
    collection_without_claim: ("names", "Its name is not reserved for it."),
    claim_by_nobody: ("names", "reserved for a collection that does not have it"),
    claim_in_other_letters: ("names", "Its name is reserved in a different spelling."),
    pointer_without_library: ("orphans", "The library “Home” that it points to was deleted."),
    pointer_that_is_not_listed: ("shares", "The library “Attic” is not shared with them."),
    share_without_pointer: ("shares", "shared with ben@example.org, but missing from their list"),
    share_with_nobody: ("shares", "shared with old@example.org, who has no account any more"),
    addresses_alone: ("shares", "lists more or fewer addresses than people"),
    lists_that_differ: ("shares", "lists more or fewer addresses than people"),
    pointer_of_another_owner: ("shares", "names another owner than the library"),
    no_code: ("codes", "It cannot be found by its code isbn-9780261103252."),
    code_of_nothing: ("codes", "No item has the code isbn-9780261103252 here."),
    code_of_something_else: ("codes", "No item has the code isbn-9780140449136 here."),
    loan_without_pointer: ("loans", "It is missing from what Ben borrowed."),
    pointer_to_where_it_was: ("loans", "It is missing from what Ben borrowed."),
    pointer_without_loan: ("loans", "points to an item that they do not have"),
    pointer_without_item: ("loans", "points to an item that they do not have"),
    loan_to_nobody: ("loans", "The account of Ben was deleted."),
    moved_from_nowhere: ("history", "No item waits for a history from here."),
    history_that_nobody_carries: ("history", "the move is gone"),
    import_without_library: ("orphans", "library that “shelf.csv” was imported into was deleted"),
    parts_without_import: ("orphans", "It belongs to an import that was deleted."),
}
