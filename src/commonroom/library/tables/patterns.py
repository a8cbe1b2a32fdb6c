"""Access patterns of the library's table, and which of its fields are copies."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.library.tables.imports import LibraryImport
from commonroom.library.tables.items import (
    Book,
    BorrowedItem,
    ItemCode,
    LoanEvent,
    MovedItem,
    Video,
)
from commonroom.library.tables.libraries import (
    Collection,
    CollectionName,
    Library,
    SharedLibrary,
    media,
    owner_id_of,
)
from commonroom.store import begins_with, between, copies, less_than, many, one

# The data model's patterns of the base table. Its prefixes also find what lies below: items have
# events under them, libraries have everything. What a pattern does not give is left out.
libraries = many(media, "Get all libraries for user", sort=begins_with("library#"), gives=Library)
# The data model also lists this for GSI1, with a prefix (`collection#`) that no item has there.
collections = many(
    media,
    "Get all collections in library",
    sort=begins_with("library#{library_id}#collection#"),
    gives=Collection,
)
items_in_library = many(
    media,
    "Get all items in library",
    sort=begins_with("library#{library_id}#item#"),
    gives=(Book, Video),
)
history = many(
    media,
    "Get all events for item",
    sort=begins_with("library#{library_id}#item#{item_id}#event#"),
    newest_first=True,
    gives=LoanEvent,
)
shared_libraries = many(
    media, "Get shared libraries", sort=begins_with("shared-library#"), gives=SharedLibrary
)

# The data model's patterns of its indexes.
libraries_by_name = many(media, "all libraries sorted by name", index="GSI1", gives=Library)
shelf = many(
    media,
    "all items + collections in library, sorted alphabetically",
    index="GSI1",
    gives=(Book, Video, Collection),
)
events_in_order = many(media, "all history events chronologically", index="GSI1", gives=LoanEvent)
items_by_title = many(
    media,
    "all items (books + videos) across all libraries, sorted by title",
    index="GSI2",
    gives=(Book, Video),
)

# Beyond the data model.
library = one(media, "Get one library", gives=Library)
collection = one(media, "Get one collection", gives=Collection)
collection_with_name = one(media, "Get which collection has a name", gives=CollectionName)
item = one(media, "Get one item", gives=(Book, Video))
shared_library = one(media, "Get one shared library", gives=SharedLibrary)
items_in_collection = many(
    media,
    "Get all items in a collection, in order",
    index="GSI1",
    sort=begins_with("item#{collection_name:sort}#"),
    gives=(Book, Video),
)
shelf_from = many(
    media,
    "Get what stands on a shelf from a place on",
    index="GSI1",
    # `$` comes directly after `#`: up to the end. A place has parts, so it is given whole.
    sort=between("{place}", "item$"),
    gives=(Book, Video, Collection),
)
shelf_before = many(
    media,
    "Get what stands on a shelf before a place, the nearest first",
    index="GSI1",
    sort=less_than("{place}"),
    newest_first=True,
    gives=(Book, Video, Collection),
)
contents = many(
    media,
    "Get everything in a library",
    sort=begins_with("library#{library_id}#"),
    gives=(Book, Video, LoanEvent, ItemCode, MovedItem, Collection, CollectionName, LibraryImport),
)
items_with_history = many(
    media,
    "Get all items in library, each followed by its history",
    sort=begins_with("library#{library_id}#item#"),
    gives=(Book, Video, LoanEvent),
)
items_between = many(
    media,
    "Get items in library from one id to another",
    sort=between("library#{library_id}#item#{first}", "library#{library_id}#item#{last}"),
    gives=(Book, Video),
)
collections_between = many(
    media,
    "Get collections in library from one id to another",
    sort=between(
        "library#{library_id}#collection#{first}", "library#{library_id}#collection#{last}"
    ),
    gives=Collection,
)
items_with_code = many(
    media,
    "Get which items in library have a code",
    sort=begins_with("library#{library_id}#code#{code}#"),
    gives=ItemCode,
)
moved_items = many(
    media,
    "Get which items left a library before their history",
    sort=begins_with("library#{library_id}#moved#"),
    gives=MovedItem,
)
borrowed_items = many(
    media, "Get borrowed items", sort=begins_with("borrowed-item#"), gives=BorrowedItem
)
loans = many(
    media,
    "Get everything that is lent, by due date",
    index="GSI3",
    partition="owner#{owner_id}#lent",
    gives=(Book, Video),
)
overdue_loans = many(
    media,
    "Get everything that is lent and was due before a day",
    index="GSI3",
    partition="owner#{owner_id}#lent",
    sort=less_than("due#{day}"),
    gives=(Book, Video),
)
shares = many(media, "Get all shares an owner has given", index="GSI3", gives=SharedLibrary)
shares_of_library = many(
    media,
    "Get all shares of a library",
    index="GSI3",
    sort=begins_with("library#{library_id}#"),
    gives=SharedLibrary,
)
owned = many(
    media,
    "Get all libraries and items of an owner",
    sort=begins_with("library#"),
    gives=(Library, Book, Video),
)

# Carried by the consistency manager. It finds copies through the base table where it can: an item
# that an index does not have yet would keep the old name for good.
copies(
    Collection,
    on=(Book, Video),
    fields={"name": "collection_name"},
    refers={"owner_id": "owner_id", "library_id": "library_id", "collection_id": "collection_id"},
    # Not by the name: that would find only the items that already have the new one.
    found=lambda it: items_in_library(owner_id=it.owner_id, library_id=it.library_id),
)
copies(
    Library,
    on=(Book, Video),
    fields={"library_name": "library_name"},
    refers={"owner_id": "owner_id", "library_id": "library_id"},
    found=lambda it: items_in_library(owner_id=it.owner_id, library_id=it.library_id),
)
copies(
    Library,
    on=SharedLibrary,
    fields={"library_name": "library_name"},
    refers={"owner_id": "shared_from_id", "library_id": "library_id"},
    # The library itself knows whom it is shared with, which no index does for certain.
    known=lambda it: [
        SharedLibrary.at(shared_to_id=one, library_id=it.library_id) for one in it.shared_to_ids
    ],
)
copies(
    User,
    on=(Library, Book, Video),
    fields={"display_name": "owner_name"},
    refers={"user_id": "account_id"},
    found=lambda user: owned(owner_id=owner_id_of(user.user_id)),
)
copies(
    User,
    on=SharedLibrary,
    fields={"display_name": "shared_from_name"},
    refers={"user_id": "shared_from_account_id"},
    found=lambda user: shares(shared_from_id=owner_id_of(user.user_id)),
)
