"""Collections by their names, to choose from; one is made where there is none."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.errors import Conflict
from commonroom.library.rules import names
from commonroom.library.service.collections import create_collection
from commonroom.library.service.reach import own
from commonroom.library.tables import Library, collection_with_name, collections
from commonroom.store import Store
from commonroom.texts import collation_key

MOST_OFFERED = 200


async def collection_called(
    store: Store, now: float, person: User, library_id: str, name: str
) -> str:
    """The id of the collection with a name, however it is typed: two requests where it is there."""
    called = names.collection_name(name)
    library = (await own(store, person, library_id)).library
    there = await _claimed(store, library, called)
    if there is not None:
        return there
    try:
        return (await create_collection(store, now, person, library_id, name=called)).collection_id
    except Conflict:  # somebody else has just made it
        there = await _claimed(store, library, called)
        if there is None:
            raise
        return there


async def collection_names(store: Store, library: Library) -> list[str]:
    """The names of a library's collections, as many as anybody would look through: one request."""
    place = {"owner_id": library.owner_id, "library_id": library.library_id}
    found = await store.page(collections(**place), limit=MOST_OFFERED)
    return sorted((one.name for one in found.items), key=collation_key)


async def _claimed(store: Store, library: Library, name: str) -> str | None:
    place = {"owner_id": library.owner_id, "library_id": library.library_id}
    claim = await store.get(collection_with_name(**place, name=name))
    return None if claim is None else claim.collection_id
