"""Collections: made, renamed, deleted, listed; a name is one collection's in its library."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, PreconditionFailed
from commonroom.library.relations import claim_of
from commonroom.library.rules import names
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import (
    LibraryAccess,
    collection_in,
    hide_private,
    own_library,
    readable_library,
    retry,
)
from commonroom.library.service.item_writes import raise_search_version
from commonroom.library.tables import (
    Book,
    Collection,
    CollectionName,
    Library,
    Video,
    collection_with_name,
    collections,
    items_in_collection,
)
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    ConditionFailed,
    Page,
    Store,
    Write,
    absent,
    check,
    create,
    delete,
    equal,
    put,
    stored,
    update,
)
from commonroom.texts import collation_key

PAGE = 50
MAX_LISTED = 200
"""Of all collections: the table has them in no order of names."""


@retry
async def create_collection(
    ctx: Context,
    library_id: str,
    *,
    name: str,
    description: str | None = None,
    collection_id: str | None = None,
) -> Collection:
    """Creates a new, empty collection, whose name no other in the library has."""
    fields: dict[str, Any] = {
        "name": names.collection_name(name),
        "description": names.collection_description(description),
        "collection_id": collection_id or new_id(),
    }

    library = (await own_library(ctx, library_id)).library
    made = Collection(
        **fields,
        owner_id=library.owner_id,
        library_id=library.library_id,
        created_at=iso(ctx.now),
        updated_at=iso(ctx.now),
    )
    claim = claim_of(made)
    await _write_claimed(ctx.store, claim, create(claim), create(made), check(library, if_=stored))
    return made


@retry
async def change_collection(
    ctx: Context,
    library_id: str,
    collection_id: str,
    *,
    name: str | None = None,
    description: str | None = None,
    version: int | None = None,
) -> Collection:
    """Changes what is given and leaves the rest; its items have a new name after a moment."""
    changes: dict[str, Any] = {"updated_at": iso(ctx.now)}
    if name is not None:
        changes["name"] = names.collection_name(name)
    if description is not None:
        changes["description"] = names.collection_description(description)

    library = (await own_library(ctx, library_id)).library
    before = await collection_in(ctx.store, library, collection_id)
    if version not in (None, before.version):
        raise PreconditionFailed("The collection was changed since you opened it.")
    after = replace(before, **changes, version=before.version + 1)
    claim, claims = claim_of(after), _exchange_claims(claim_of(before), claim_of(after))
    # The library, so that no claim is made in one that is being cleared up.
    there = raise_search_version(library) if "name" in changes else check(library, if_=stored)
    await _write_claimed(ctx.store, claim, *claims, update(before, **changes), there)
    return after


@retry
async def delete_collection(ctx: Context, library_id: str, collection_id: str) -> None:
    """Deletes a collection and frees its name; its items stay, each by itself after a moment."""
    library = (await own_library(ctx, library_id)).library
    there = await collection_in(ctx.store, library, collection_id)
    claim = claim_of(there)
    await ctx.store.write(
        delete(there, if_=equal(version=there.version)),
        delete(claim, if_=_free_or(claim)),
        raise_search_version(library),
    )


async def see_collection(ctx: Context, library_id: str, collection_id: str) -> Collection:
    """Returns a collection of a library that a person may look into: two requests, or three."""
    access = await readable_library(ctx, library_id)
    return await collection_in(ctx.store, access.library, collection_id)


def _exchange_claims(old: CollectionName, new: CollectionName) -> list[Write]:
    """Returns the writes, the new claim first: where it fails, the name is another's."""
    if old == new:
        return []
    if old.ref.key == new.ref.key:
        return [put(new, if_=_free_or(old))]
    return [create(new), delete(old, if_=_free_or(old))]


def _free_or(claim: CollectionName) -> Condition:
    """That a name is this collection's; data from elsewhere may lack claims."""
    return absent("collection_id") | equal(collection_id=claim.collection_id)


async def _write_claimed(store: Store, claim: CollectionName, *writes: Write) -> None:
    """Writes, unless the name is another collection's."""
    try:
        await store.write(*writes)
    except ConditionFailed as failed:
        other = failed.entity
        if isinstance(other, CollectionName) and other.ref.key == claim.ref.key:
            raise Conflict(
                f"There is already a collection called “{other.name}”.",
                collection_id=other.collection_id,
            ) from None
        raise


class CollectionPage(Struct, frozen=True):
    """A collection and a page of its members, in order."""

    collection: Collection
    items: list[Book | Video]
    cursor: str | None


async def list_collections(
    store: Store, library: Library, *, limit: int = MAX_LISTED, cursor: str | None = None
) -> Page[Collection]:
    """Returns a library's collections, each page by name: one request."""
    key = {"owner_id": library.owner_id, "library_id": library.library_id}
    found = await store.page(collections(**key), limit=limit, cursor=cursor)
    return Page(sorted(found.items, key=lambda one: collation_key(one.name)), found.seal)


async def see_members(
    store: Store,
    access: LibraryAccess,
    collection_id: str,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
) -> CollectionPage:
    """Returns a collection with its members: two requests."""
    there = await collection_in(store, access.library, collection_id)
    asked = items_in_collection(
        owner_id=there.owner_id, library_id=there.library_id, collection_name=there.name
    )
    page = await store.page(asked, limit=limit, cursor=cursor)
    # While a new name is on its way to the members, some still have the old one.
    inside = [hide_private(access, one) for one in page.items if one.collection_id == collection_id]
    return CollectionPage(there, inside, page.cursor)


async def find_or_create_collection(ctx: Context, library_id: str, name: str) -> str:
    """The id of the collection with a name, however it is typed: two requests where it is there."""
    called = names.collection_name(name)
    library = (await own_library(ctx, library_id)).library
    there = await _find_named(ctx.store, library, called)
    if there is not None:
        return there
    try:
        return (await create_collection(ctx, library_id, name=called)).collection_id
    except Conflict:  # another request has just made it
        there = await _find_named(ctx.store, library, called)
        if there is None:
            raise
        return there


async def _find_named(store: Store, library: Library, name: str) -> str | None:
    key = {"owner_id": library.owner_id, "library_id": library.library_id}
    claim = await store.get(collection_with_name(**key, name=name))
    return None if claim is None else claim.collection_id
